import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { UploadFolder } from "../../services/uploads/upload-folder.ts";
import { MESSAGE_PACK_TYPES } from "../body-parsers.ts";
import { createFileCollector } from "./file-collector.ts";
import { readJson } from "./read-json.ts";
import { readMessagePack } from "./read-message-pack.ts";
import { readMultipart } from "./read-multipart.ts";
import { watchReceiving } from "./receive-limits.ts";
import { bodyTooLarge, type Upload, type UploadRules, type UploadTimeouts } from "./upload-rules.ts";

const JSON_TYPE = "application/json";

/** Lets the routes of a scope read multipart and MessagePack bodies with `receiveUpload`, and no others but JSON. */
export async function acceptUploads(scope: FastifyInstance, options: { readonly json?: boolean } = {}): Promise<void> {
  scope.removeAllContentTypeParsers();
  const types = options.json === true ? [...MESSAGE_PACK_TYPES, JSON_TYPE] : [...MESSAGE_PACK_TYPES];
  scope.addContentTypeParser(types, (_request, _payload, done) => done(null));
  await scope.register(multipart);
}

/** Whether the body is one that `receiveUpload` reads. */
export function isUpload(request: FastifyRequest): boolean {
  return request.isMultipart() || MESSAGE_PACK_TYPES.includes(typeOf(request));
}

function typeOf({ headers }: FastifyRequest): string {
  return headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/**
 * Reads a multipart, MessagePack or, where the rules allow it, JSON body and writes its files to disk as they arrive. Removes them when it throws. The
 * file names that the client sends are not used.
 */
export async function receiveUpload(
  request: FastifyRequest,
  folder: UploadFolder,
  rules: UploadRules,
  timeouts: UploadTimeouts,
): Promise<Upload> {
  const isMultipart = request.isMultipart();
  const isJson = typeOf(request) === JSON_TYPE;
  const maxOther = isJson ? (rules.maxJsonBytes ?? 0) : rules.maxMessagePackBytes;
  const maxBytes = (isMultipart ? undefined : maxOther) ?? rules.maxBodyBytes;
  const tooLarge = () => bodyTooLarge(rules, maxBytes);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
  const files = createFileCollector(folder, rules.files);
  try {
    const watch = watchReceiving(request.raw, { ...timeouts, maxBytes, tooLarge });
    const read = (): Promise<Upload["fields"]> => {
      if (isMultipart) return readMultipart(request, rules, files);
      return isJson ? readJson(request, files) : readMessagePack(request, rules, files);
    };
    const fields = await watch.orLimit(read());
    return { fields, files: files.files, issues: files.issues(), remove: files.remove };
  } catch (error) {
    await files.remove();
    throw error;
  }
}
