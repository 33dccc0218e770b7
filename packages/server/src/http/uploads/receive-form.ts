import {
  ApiError,
  apiError,
  decodeMessagePack,
  isRecord,
  MessagePackError,
  shapeError,
  toAudioBytes,
  type ValidationIssue,
} from "@parlance/protocol";
import type { FastifyRequest } from "fastify";
import type { UploadFile, UploadFolder } from "../../services/speech/upload-folder.ts";
import { isUnnamed } from "./read-multipart.ts";
import type { UploadTimeouts } from "./receive.ts";
import { watchReceiving } from "./receive-limits.ts";

export interface FileRule {
  readonly most: number;
  readonly bytes: number;
}

export interface FormRules extends UploadTimeouts {
  /** The fields that hold files. */
  readonly files: Readonly<Record<string, FileRule>>;
  readonly mostBodyBytes: number;
  /** Of a MessagePack body, which is held in memory. */
  readonly mostMessagePackBytes: number;
}

export interface ReceivedForm {
  /** Without the files. One that was given several times is an array. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, readonly UploadFile[]>>;
  /** What is wrong with the shape of the fields that hold files. */
  readonly issues: readonly ValidationIssue[];
  /** Removes the files. */
  remove(): Promise<void>;
}

/** Generous for any form of ours. */
const PARTS = { fields: 200, fieldNameSize: 100, fieldSize: 64 * 1024, headerPairs: 32 };

/**
 * Takes a multipart or MessagePack body whose files go to disk. Throws the refusal, and then leaves nothing. What the sender
 * calls his files is not looked at: names on disk are ours.
 */
export async function receiveForm(
  request: FastifyRequest,
  folder: UploadFolder,
  rules: FormRules,
): Promise<ReceivedForm> {
  const isMultipart = request.isMultipart();
  const mostBytes = isMultipart ? rules.mostBodyBytes : rules.mostMessagePackBytes;
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) {
    throw apiError("payload_too_large", { limit: mostBytes });
  }
  const taker = createTaker(folder, rules.files);
  try {
    const arrival = watchReceiving(request.raw, { ...rules, mostBytes });
    const reading = isMultipart ? readMultipart(request, taker) : readMessagePack(request, taker);
    const fields = await arrival.orRefusal(reading);
    return { fields, files: taker.files, issues: taker.issues, remove: taker.remove };
  } catch (error) {
    await taker.remove();
    throw error;
  }
}

type Taker = ReturnType<typeof createTaker>;

function createTaker(folder: UploadFolder, rules: FormRules["files"]) {
  const files: Record<string, UploadFile[]> = Object.fromEntries(Object.keys(rules).map((name) => [name, []]));
  const issues: ValidationIssue[] = [];
  return {
    files,
    issues,
    isFile: (name: string): boolean => Object.hasOwn(rules, name),
    /** One that `mayBeAbsent` and is empty was not given. */
    async take(
      name: string,
      chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
      mayBeAbsent = false,
    ): Promise<void> {
      const rule = rules[name];
      const taken = files[name];
      if (rule === undefined || taken === undefined) return;
      if (taken.length >= rule.most) {
        throw apiError("invalid_value", {
          field: name,
          value: "one more file",
          allowed: `at most ${rule.most} ${rule.most === 1 ? "is" : "are"} allowed`,
        });
      }
      const file = await folder.create();
      taken.push(file);
      for await (const chunk of chunks) {
        if (file.bytes + chunk.length > rule.bytes)
          throw apiError("file_too_large", { field: name, limit: rule.bytes });
        await file.write(chunk);
      }
      await file.finish();
      if (mayBeAbsent && file.bytes === 0) {
        taken.pop();
        await file.remove();
      }
    },
    async remove(): Promise<void> {
      await Promise.all(Object.values(files).flatMap((all) => all.map((file) => file.remove())));
    },
  };
}

async function readMultipart(request: FastifyRequest, taker: Taker): Promise<Record<string, unknown>> {
  // Without a prototype: the names are the caller's.
  const fields: Record<string, unknown> = Object.create(null);
  const most = Object.keys(taker.files).length * 32;
  const isPartAFile = (name: string | undefined, _type: string | undefined, file: string | undefined): boolean =>
    file !== undefined || (name !== undefined && taker.isFile(plainName(name)));
  const limits = { ...PARTS, files: most, parts: PARTS.fields + most, fileSize: Number.POSITIVE_INFINITY };
  try {
    for await (const part of request.parts({ limits, isPartAFile })) {
      const name = plainName(part.fieldname);
      if (part.type === "file") {
        if (taker.isFile(name)) await taker.take(name, part.file, isUnnamed(part.filename));
        else for await (const _chunk of part.file);
        continue;
      }
      if (part.valueTruncated) throw apiError("payload_too_large", { limit: PARTS.fieldSize });
      fields[name] = name in fields ? [fields[name], String(part.value)].flat() : String(part.value);
    }
  } catch (error) {
    throw asRefusal(error);
  }
  return fields;
}

async function readMessagePack({ raw }: FastifyRequest, taker: Taker): Promise<Record<string, unknown>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) chunks.push(chunk);
  const body = decoded(Buffer.concat(chunks));
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(body)) {
    if (!taker.isFile(name)) {
      fields[name] = value;
      continue;
    }
    if (value === null || value === "") continue;
    for (const [index, each] of (Array.isArray(value) ? value : [value]).entries()) {
      const bytes = toAudioBytes(each);
      if (bytes === undefined) {
        taker.issues.push({ loc: [name, String(index)], type: "bytes_type", msg: "Expected bytes", in: "body" });
      } else await taker.take(name, [bytes]);
    }
  }
  return fields;
}

function decoded(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value = decodeMessagePack(bytes);
    if (isRecord(value)) return value;
  } catch (error) {
    if (!(error instanceof MessagePackError)) throw error;
    throw unreadable("msgpack_invalid", `Not valid MessagePack: ${error.message}`);
  }
  throw unreadable("object_type", "Expected a map");
}

/** Some clients number what they repeat: `voices[0]`, `tags[]`. */
function plainName(name: string): string {
  return name.replace(/\[\d*\]$/, "");
}

/** What the parser throws is either a limit of ours or a body that is no multipart. */
function asRefusal(error: unknown): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error;
  const code = "code" in error ? String(error.code) : "";
  if (/^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(code)) return unreadable("too_many", "Too many parts");
  if (code !== "" && !code.startsWith("FST_")) return error;
  return unreadable("multipart_invalid", `Not valid multipart: ${error.message}`);
}

function unreadable(type: string, msg: string): ApiError {
  return shapeError([{ loc: ["body"], type, msg, in: "body" }]);
}
