import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { UploadFolder } from "../../services/uploads/upload-folder.ts";
import { MESSAGE_PACK_TYPES } from "../body-parsers.ts";
import { createFileCollector } from "./file-collector.ts";
import { readMessagePack } from "./read-message-pack.ts";
import { readMultipart } from "./read-multipart.ts";
import { watchReceiving } from "./receive-limits.ts";
import { bodyTooLarge, type Upload, type UploadRules, type UploadTimeouts } from "./upload-rules.ts";

/** Lets the routes of a scope read multipart and MessagePack bodies with `receiveUpload`, and no others. */
export async function acceptUploads(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser([...MESSAGE_PACK_TYPES], (_request, _payload, done) => done(null));
  await scope.register(multipart);
}

/** Whether the body is one that `receiveUpload` reads. */
export function isUpload(request: FastifyRequest): boolean {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return request.isMultipart() || MESSAGE_PACK_TYPES.includes(type);
}

/**
 * Reads a multipart or MessagePack body and writes its files to disk as they arrive. Removes them when it throws. The
 * file names that the client sends are not used.
 */
export async function receiveUpload(
  request: FastifyRequest,
  folder: UploadFolder,
  rules: UploadRules,
  timeouts: UploadTimeouts,
): Promise<Upload> {
  const isMultipart = request.isMultipart();
  const maxBytes = (isMultipart ? undefined : rules.maxMessagePackBytes) ?? rules.maxBodyBytes;
  const tooLarge = () => bodyTooLarge(rules, maxBytes);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
  const files = createFileCollector(folder, rules.files);
  try {
    const watch = watchReceiving(request.raw, { ...timeouts, maxBytes, tooLarge });
    const reading = isMultipart ? readMultipart(request, rules, files) : readMessagePack(request, rules, files);
    const fields = await watch.orLimit(reading);
    return { fields, files: files.files, issues: files.issues(), remove: files.remove };
  } catch (error) {
    await files.remove();
    throw error;
  }
}
