import {
  type ApiError,
  apiError,
  isRecord,
  MessagePackError,
  readMessagePackMap,
  shapeError,
} from "@parlance/protocol";
import type { FastifyRequest } from "fastify";
import type { UploadFile, UploadFolder } from "../../services/speech/upload-folder.ts";
import { readMultipart } from "./read-multipart.ts";
import { watchReceiving } from "./receive-limits.ts";

export type TakeBytes = (bytes: Uint8Array) => Promise<void>;

/** What a body says besides its file, and whether there was one. */
export interface ReadBody {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly streamed: "given" | "missing" | "given twice" | "not bytes";
}

export interface Received extends ReadBody {
  /** Belongs to the caller, who removes it. */
  readonly file: UploadFile;
}

export interface UploadTimeouts {
  readonly idleMs: number;
  readonly totalMs: number;
}

export interface UploadRules extends UploadTimeouts {
  /** The field that holds the file. */
  readonly key: string;
  readonly mostFileBytes: number;
  readonly mostBodyBytes: number;
}

/** What may be said besides the file. */
const MOST_OTHER_BYTES = 64 * 1024;

/** Writes the file of a multipart or MessagePack body to disk as it comes. Throws the refusal, and then leaves nothing. */
export async function receiveUpload(
  request: FastifyRequest,
  folder: UploadFolder,
  rules: UploadRules,
): Promise<Received> {
  const tooLarge = (): ApiError => apiError("audio_too_large", { limit: rules.mostFileBytes });
  const announced = Number(request.headers["content-length"] ?? 0);
  // Only the file can be that large.
  if (announced > rules.mostBodyBytes) throw tooLarge();
  const file = await folder.create();
  try {
    const arrival = watchReceiving(request.raw, { ...rules, mostBytes: rules.mostBodyBytes });
    const take: TakeBytes = async (bytes) => {
      if (file.bytes + bytes.length > rules.mostFileBytes) throw tooLarge();
      await file.write(bytes);
    };
    const reading = request.isMultipart()
      ? readMultipart(request, rules.key, take)
      : readMessagePack(request, rules.key, take);
    const body = await arrival.orRefusal(reading);
    await file.finish();
    return { ...body, file };
  } catch (error) {
    await file.remove();
    throw error;
  }
}

async function readMessagePack({ raw }: FastifyRequest, key: string, take: TakeBytes): Promise<ReadBody> {
  const chunks = raw.iterator({ destroyOnReturn: false });
  try {
    const { value, streamed } = await readMessagePackMap(chunks, { key, take }, MOST_OTHER_BYTES);
    if (!isRecord(value)) throw unreadable("object_type", "Expected a map");
    return { fields: value, streamed };
  } catch (error) {
    if (error instanceof MessagePackError) {
      throw unreadable("msgpack_invalid", `Not valid MessagePack: ${error.message}`);
    }
    throw error;
  }
}

function unreadable(type: string, msg: string): ApiError {
  return shapeError([{ loc: ["body"], type, msg, in: "body" }]);
}
