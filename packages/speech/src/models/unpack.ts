import { constants, createReadStream } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { Parser, type ReadEntry } from "tar";
import { ModelStoreError } from "./errors.ts";
import type { NpmPiece } from "./model.ts";

/** A piece of a tarball and its position in a file of the model. */
export interface Placement {
  readonly piece: NpmPiece;
  readonly target: string;
  /** Byte position in the target. */
  readonly at: number;
}

/**
 * Writes the named members to their files. Paths come from the manifest, never from the archive, so an archive cannot write
 * elsewhere. Links and all other members are skipped.
 */
export async function unpack(tarball: string, placements: readonly Placement[], signal: AbortSignal): Promise<void> {
  const byMember = new Map<string, Placement[]>();
  for (const placement of placements) {
    const { member } = placement.piece;
    byMember.set(member, [...(byMember.get(member) ?? []), placement]);
  }
  const found = new Set<string>();
  const jobs: Promise<void>[] = [];
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const targets = byMember.get(entry.path);
      if (targets === undefined || entry.type !== "File" || found.has(entry.path)) {
        entry.resume();
        return;
      }
      found.add(entry.path);
      const job = writeMember(entry, targets);
      // The parser only ends when the rest of the member is read; the error is thrown below.
      job.catch(() => entry.resume());
      jobs.push(job);
    },
  });
  await feed(parser, tarball, signal);
  await Promise.all(jobs);
  for (const name of byMember.keys())
    if (!found.has(name)) throw new ModelStoreError("corrupt", `${tarball} has no member ${name}`);
}

async function feed(parser: Parser, tarball: string, signal: AbortSignal): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    parser.on("end", resolve);
    parser.on("error", reject);
  });
  const input = createReadStream(tarball, { signal, highWaterMark: 1 << 18 });
  try {
    for await (const chunk of input)
      if (!parser.write(chunk)) await Promise.race([ended, new Promise((resolve) => parser.once("drain", resolve))]);
    parser.end();
    await ended;
  } finally {
    // When reading has failed, the result of the parser is not awaited.
    ended.catch(() => {});
  }
}

async function writeMember(entry: ReadEntry, placements: readonly Placement[]): Promise<void> {
  const writers = await Promise.all(placements.map((placement) => openPlacement(placement, entry.size)));
  try {
    let position = 0;
    for await (const chunk of entry) {
      for (const writer of writers) await writer.take(chunk, position);
      position += chunk.length;
    }
    for (const writer of writers) await writer.finish();
  } finally {
    await Promise.all(writers.map((writer) => writer.file.close()));
  }
}

interface PieceWriter {
  readonly file: FileHandle;
  take(chunk: Uint8Array, position: number): Promise<void>;
  finish(): Promise<void>;
}

async function openPlacement({ piece, target, at }: Placement, memberBytes: number): Promise<PieceWriter> {
  const { start, end } = piece.range ?? { start: 0, end: piece.bytes };
  if (piece.range ? memberBytes < end : memberBytes !== end)
    throw new ModelStoreError("corrupt", `${piece.member}: expected ${end} bytes, got ${memberBytes}`);
  await mkdir(dirname(target), { recursive: true });
  const file = await open(target, constants.O_RDWR | constants.O_CREAT);
  const encoded: Uint8Array[] = [];
  return {
    file,
    async take(chunk, position) {
      const from = Math.max(start - position, 0);
      const to = Math.min(end - position, chunk.length);
      if (to <= from) return;
      const part = chunk.subarray(from, to);
      if (piece.encoding === "base64") encoded.push(part);
      else await file.write(part, 0, part.length, at + position + from - start);
    },
    async finish() {
      if (encoded.length === 0) return;
      const decoded = Buffer.from(Buffer.concat(encoded).toString("latin1"), "base64");
      await file.write(decoded, 0, decoded.length, at);
    },
  };
}
