/** Results that are kept in a file: a run that only uses them otherwise does not compute them again. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { deserialize, serialize } from "node:v8";

export interface KeptResults {
  /** The kept result for what this was computed from, or a new one. */
  get<T>(from: unknown, compute: () => Promise<T>): Promise<T>;
  save(): void;
}

export function keepResults(path: string): KeptResults {
  const kept: Map<string, unknown> = existsSync(path) ? deserialize(readFileSync(path)) : new Map();
  let isChanged = false;
  return {
    async get<T>(from: unknown, compute: () => Promise<T>): Promise<T> {
      const key = createHash("sha256").update(JSON.stringify(from, withBytes)).digest("base64");
      if (kept.has(key)) return kept.get(key) as T;
      const result = await compute();
      kept.set(key, result);
      isChanged = true;
      return result;
    },
    save() {
      if (isChanged) writeFileSync(path, serialize(kept));
    },
  };
}

function withBytes(_: string, value: unknown): unknown {
  if (!ArrayBuffer.isView(value)) return value;
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
}
