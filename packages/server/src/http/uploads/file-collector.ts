import { apiError, shapeError, toAudioBytes, type ValidationIssue } from "@parlance/protocol";
import type { UploadFile, UploadFolder } from "../../services/uploads/upload-folder.ts";
import { type FileRule, fileTooLarge, type UploadRules } from "./upload-rules.ts";

/** Writes the files of a request to disk, within the rules for its fields. */
export interface FileCollector {
  readonly files: Readonly<Record<string, readonly UploadFile[]>>;
  isFile(name: string): boolean;
  /** Throws when the field has its files already, or when this one is too large. `isOptional`: if empty, it is no file. */
  add(name: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, isOptional?: boolean): Promise<void>;
  /** A value in place of a file that is not bytes. */
  addValue(name: string, value: unknown, index: number | undefined): Promise<void>;
  issues(): readonly ValidationIssue[];
  remove(): Promise<void>;
}

export function createFileCollector(folder: UploadFolder, rules: UploadRules["files"]): FileCollector {
  const files: Record<string, UploadFile[]> = Object.fromEntries(Object.keys(rules).map((name) => [name, []]));
  const issues = new Map<string, ValidationIssue>();
  let isRemoved = false;

  const add: FileCollector["add"] = async (name, chunks, isOptional = false) => {
    const [rule, added] = [rules[name], files[name]];
    if (rule === undefined || added === undefined) return;
    if (added.length >= rule.maxFiles) throw tooManyFiles(name, rule);
    const file = await folder.create();
    added.push(file);
    // The rest of a body may be read after the request has ended.
    if (isRemoved) return file.remove();
    for await (const chunk of chunks) {
      if (file.bytes + chunk.length > rule.maxBytes) throw fileTooLarge(name, rule);
      await file.write(chunk);
    }
    await file.finish();
    if (isOptional && file.bytes === 0) {
      added.pop();
      await file.remove();
    }
  };

  return {
    files,
    isFile: (name) => Object.hasOwn(rules, name),
    add,
    async addValue(name, value, index) {
      if (value === "" && index === undefined) return;
      const bytes = rules[name]?.acceptsEncoded === true ? toAudioBytes(value) : undefined;
      if (bytes !== undefined) return add(name, [bytes]);
      const loc = index === undefined ? [name] : [name, String(index)];
      // One for each field: an array may have millions of items that are not bytes.
      if (!issues.has(name)) issues.set(name, { loc, type: "bytes_type", msg: "Expected bytes", in: "body" });
    },
    issues() {
      const missing = Object.entries(rules)
        .filter(([name, { required }]) => required === true && files[name]?.length === 0 && !issues.has(name))
        .map(([name]): ValidationIssue => ({ loc: [name], type: "missing", msg: "Field required", in: "body" }));
      return [...issues.values(), ...missing];
    },
    async remove() {
      isRemoved = true;
      await Promise.all(Object.values(files).flatMap((all) => all.map((file) => file.remove())));
    },
  };
}

/** A second value of a single field is a wrong shape; one more than a list may have is a wrong value. */
function tooManyFiles(name: string, { maxFiles, label }: FileRule): Error {
  if (maxFiles === 1) {
    return shapeError([{ loc: [name], type: "too_many", msg: `One ${label} per request`, in: "body" }]);
  }
  return apiError("invalid_value", { field: name, value: "one more file", allowed: `at most ${maxFiles} are allowed` });
}
