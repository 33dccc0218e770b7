import { isRecord } from "@parlance/protocol";
import type { FastifyRequest } from "fastify";
import { parseJson } from "../body-parsers.ts";
import type { FileCollector } from "./file-collector.ts";
import { invalidBody } from "./invalid-body.ts";

/** Passes the files on, which are base64, and returns the fields. The size is limited while the body arrives. */
export async function readJson(
  { raw }: FastifyRequest,
  files: FileCollector,
): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) chunks.push(chunk);
  const body = await parseJson(Buffer.concat(chunks));
  if (!isRecord(body)) throw invalidBody("object_type", "Expected an object");
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (!files.isFile(name)) fields[name] = value;
    else if (!Array.isArray(value)) await files.addValue(name, value ?? "", undefined);
    else for (const [index, item] of value.entries()) await files.addValue(name, item, index);
  }
  return fields;
}
