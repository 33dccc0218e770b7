import { ApiError, apiError, fromMultipart, shapeError } from "@parlance/protocol";
import type { FastifyRequest } from "fastify";
import type { ReadBody, TakeBytes } from "./receive.ts";

/** Generous for a form of four fields, and far from anything that could hurt. */
const LIMITS = {
  parts: 32,
  files: 8,
  fields: 24,
  fieldNameSize: 100,
  fieldSize: 4096,
  headerPairs: 32,
};

/** Streams the one file on, gathers the fields. */
export async function readMultipart(request: FastifyRequest, key: string, take: TakeBytes): Promise<ReadBody> {
  // Without a prototype: the names are the caller's.
  const fields: Record<string, string> = Object.create(null);
  let streamed: ReadBody["streamed"] = "missing";
  // The recording is one whatever its part says: some clients give it no file name.
  const isPartAFile = (name: string | undefined, _type: string | undefined, file: string | undefined): boolean =>
    name === key || file !== undefined;
  try {
    const options = { limits: { ...LIMITS, fileSize: Number.POSITIVE_INFINITY }, isPartAFile };
    for await (const part of request.parts(options)) {
      if (part.type === "field") {
        if (part.valueTruncated) throw apiError("payload_too_large", { limit: LIMITS.fieldSize });
        fields[part.fieldname] = String(part.value);
        continue;
      }
      const wanted = part.fieldname === key;
      if (wanted && streamed === "given") return { fields: fromMultipart(fields), streamed: "given twice" };
      let bytes = 0;
      for await (const chunk of part.file) {
        bytes += chunk.length;
        if (wanted) await take(chunk);
      }
      if (wanted && (bytes > 0 || !isUnnamed(part.filename))) streamed = "given";
    }
  } catch (error) {
    throw asRefusal(error);
  }
  return { fields: fromMultipart(fields), streamed };
}

/** What a form sends for a file that nobody chose, if it is empty too. */
export function isUnnamed(fileName: string | undefined): boolean {
  return fileName === undefined || fileName === "";
}

/** What the parser throws is either a limit of ours or a body that is no multipart. */
function asRefusal(error: unknown): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  if (/^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(code))
    return apiError("payload_too_large", { limit: LIMITS.fieldSize * LIMITS.fields });
  const foreign = code === "" || code.startsWith("FST_");
  if (!foreign) return error;
  return shapeError([
    { loc: ["body"], type: "multipart_invalid", msg: `Not valid multipart: ${error.message}`, in: "body" },
  ]);
}
