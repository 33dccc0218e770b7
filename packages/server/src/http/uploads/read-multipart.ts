import type { Readable } from "node:stream";
import { apiError, createFieldCollector, plainFieldName } from "@parlance/protocol";
import type { FastifyRequest } from "fastify";
import { bodyInTurns } from "./body-in-turns.ts";
import type { FileCollector } from "./file-collector.ts";
import { multipartError } from "./invalid-body.ts";
import type { UploadRules } from "./upload-rules.ts";

/** More than any form needs. Files that no rule names are counted too; they are read and dropped. */
export const MULTIPART_LIMITS = { fields: 200, files: 64, parts: 264, fieldNameSize: 100, headerPairs: 32 };

/** Passes the files on, and returns the fields. */
export async function readMultipart(
  request: FastifyRequest,
  { maxFieldBytes, maxFieldsBytes }: UploadRules,
  files: FileCollector,
): Promise<Readonly<Record<string, unknown>>> {
  const { add, fields } = createFieldCollector("body");
  let bytes = 0;
  // Some clients give a file no file name.
  const isPartAFile = (name: string | undefined, _type: string | undefined, fileName: string | undefined): boolean =>
    fileName !== undefined || (name !== undefined && files.isFile(plainFieldName(name)));
  const limits = { ...MULTIPART_LIMITS, fieldSize: maxFieldBytes, fileSize: Number.POSITIVE_INFINITY };
  const body = bodyInTurns(request.raw);
  try {
    for await (const part of withBody(request, body).parts({ limits, isPartAFile })) {
      const name = plainFieldName(part.fieldname);
      if (part.type === "field") {
        if (part.valueTruncated) throw apiError("payload_too_large", { limit: maxFieldBytes });
        const value = String(part.value);
        bytes += Buffer.byteLength(value);
        if (bytes > maxFieldsBytes) throw apiError("payload_too_large", { limit: maxFieldsBytes });
        add(name, value);
      } else if (files.isFile(name)) {
        // A browser sends an empty file without a name where none was chosen.
        await files.add(name, part.file, part.filename === undefined || part.filename === "");
      } else for await (const _chunk of part.file);
    }
  } catch (error) {
    throw multipartError(error);
  } finally {
    body.destroy();
  }
  return fields;
}

/** The same request with another stream as its body: the parser reads `raw`. */
function withBody(request: FastifyRequest, body: Readable): FastifyRequest {
  const raw = Object.assign(body, { headers: request.headers });
  return Object.create(request, { raw: { value: raw } }) as FastifyRequest;
}
