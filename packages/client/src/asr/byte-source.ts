import type { ByteSource, Recording } from "./types.ts";

export async function toByteSource(file: Recording): Promise<ByteSource> {
  if (file instanceof ReadableStream) return blobSource(await new Response(file).blob());
  if (file instanceof Uint8Array) return { size: file.length, read: async (start, end) => file.slice(start, end) };
  return file instanceof Blob ? blobSource(file) : file;
}

function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
  };
}
