import type { FastifyInstance, FastifyRequest } from "fastify";
import type { UploadFolder } from "../../services/uploads/upload-folder.ts";
import { createFileCollector } from "./file-collector.ts";
import { watchReceiving } from "./receive-limits.ts";
import { bodyTooLarge, type Upload, type UploadRules, type UploadTimeouts } from "./upload-rules.ts";

/** Lets the routes of a scope read bodies of any type with `receiveRaw`. */
export function acceptRaw(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
}

/** Writes the body to disk as the one file of the rules, after `header`. Removes the file when it throws. */
export async function receiveRaw(
  { raw, headers }: FastifyRequest,
  folder: UploadFolder,
  rules: UploadRules,
  timeouts: UploadTimeouts,
  header: Uint8Array = new Uint8Array(0),
): Promise<Upload> {
  const [name = ""] = Object.keys(rules.files);
  const { maxBodyBytes: maxBytes } = rules;
  const tooLarge = () => bodyTooLarge(rules, maxBytes);
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
  const files = createFileCollector(folder, rules.files);
  async function* bytes(first: Promise<IteratorResult<Uint8Array>>): AsyncGenerator<Uint8Array> {
    if (header.length > 0) yield header;
    const { done, value } = await first;
    if (done === true) return;
    yield value;
    yield* body;
  }
  const body = raw.iterator({ destroyOnReturn: false });
  try {
    const watch = watchReceiving(raw, { ...timeouts, maxBytes, tooLarge });
    // Reading starts in this turn, before the file is there.
    const first = body.next();
    first.catch(() => {});
    await watch.orLimit(files.add(name, bytes(first), header.length === 0));
    return { fields: {}, files: files.files, issues: files.issues(), remove: files.remove };
  } catch (error) {
    await files.remove();
    throw error;
  }
}
