import type { UploadFolder } from "./upload-folder.ts";

/** Works on several files, which are removed after that. */
export async function withFiles<Result>(
  uploads: Pick<UploadFolder, "create">,
  contents: readonly Uint8Array[],
  work: (paths: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const [first, ...others] = contents;
  if (first === undefined) return work([]);
  return withFile(uploads, first, (path) => withFiles(uploads, others, (paths) => work([path, ...paths])));
}

/** Works on bytes as a file, which is removed after that. */
export async function withFile<Result>(
  uploads: Pick<UploadFolder, "create">,
  bytes: Uint8Array,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const file = await uploads.create();
  try {
    await file.write(bytes);
    await file.finish();
    return await work(file.path);
  } finally {
    await file.remove();
  }
}
