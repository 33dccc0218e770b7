import { isRecord, readMessagePackMap } from "@parlance/protocol";
import type { FastifyRequest } from "fastify";
import type { FileCollector } from "./file-collector.ts";
import { invalidBody, messagePackError } from "./invalid-body.ts";
import type { UploadRules } from "./upload-rules.ts";

/** Passes the files on, and returns the fields. */
export async function readMessagePack(
  { raw }: FastifyRequest,
  { files: rules, maxFieldsBytes }: UploadRules,
  files: FileCollector,
): Promise<Readonly<Record<string, unknown>>> {
  const chunks = raw.iterator({ destroyOnReturn: false });
  const handler = {
    isFile: files.isFile,
    file: (name: string, bytes: AsyncIterable<Uint8Array>) => files.add(name, bytes),
    // Base64 is a third larger than the file, an array of integers up to two times.
    maxOtherBytes: (name: string) => (rules[name]?.acceptsEncoded === true ? 2 * rules[name].maxBytes + 16 : 0),
    other: files.addValue,
  };
  const value = await readMessagePackMap(chunks, handler, maxFieldsBytes).catch((error: unknown) => {
    throw messagePackError(error);
  });
  if (!isRecord(value)) throw invalidBody("object_type", "Expected a map");
  return Object.fromEntries(Object.entries(value).filter(([name]) => !files.isFile(name)));
}
