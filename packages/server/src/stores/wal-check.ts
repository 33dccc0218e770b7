import { copyFileSync, existsSync, readFileSync } from "node:fs";

/** What of a write-ahead log SQLite cannot read. It starts with what comes before, and says nothing. */
export interface DamagedLog {
  /** A copy of the log as it was found. */
  readonly kept: string;
  /** Transactions that were committed, and are lost. Undefined when none can be read, and none counted. */
  readonly lost: number | undefined;
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The lowest bit says that checksums are of big-endian words. */
const MAGIC = 0x377f0682;

/**
 * Looks for transactions of a write-ahead log behind a part that is damaged, and keeps a copy of the log if there are any. A
 * last transaction that was not written to its end is no damage: it was never acknowledged.
 */
export function keepDamagedLog(databaseFile: string, now: number): DamagedLog | undefined {
  const file = `${databaseFile}-wal`;
  const damage = existsSync(file) ? damageOf(readFileSync(file)) : undefined;
  if (damage === undefined) return undefined;
  const kept = `${file}.damaged-${now}`;
  copyFileSync(file, kept);
  return { kept, lost: damage.lost };
}

/** Undefined for a log that SQLite reads to the end of its last transaction. */
function damageOf(log: Buffer): Pick<DamagedLog, "lost"> | undefined {
  if (log.length < HEADER_BYTES) return undefined;
  const pageBytes = log.readUInt32BE(8);
  const isBigEndian = log.readUInt32BE(0) === MAGIC + 1;
  const sums = checksum(log.subarray(0, 24), [0, 0], isBigEndian);
  const isHeader = (isBigEndian || log.readUInt32BE(0) === MAGIC) && endsWith(log.subarray(0, HEADER_BYTES), sums);
  // A header is written before the first frame.
  if (!isHeader) return log.length > HEADER_BYTES ? { lost: undefined } : undefined;
  const lost = lostTransactions(log, FRAME_HEADER_BYTES + pageBytes, sums, isBigEndian);
  return lost > 0 ? { lost } : undefined;
}

type Sums = readonly [number, number];

/** Committed transactions after the first frame that is not as it was written. Frames of older logs have another salt. */
function lostTransactions(log: Buffer, frameBytes: number, before: Sums, isBigEndian: boolean): number {
  const salt = log.subarray(16, 24);
  let sums: Sums | undefined = before;
  let lost = 0;
  for (let at = HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    const frame = log.subarray(at, at + frameBytes);
    const isOwn = frame.subarray(8, 16).equals(salt);
    if (sums !== undefined) {
      sums = checksum(
        frame.subarray(FRAME_HEADER_BYTES),
        checksum(frame.subarray(0, 8), sums, isBigEndian),
        isBigEndian,
      );
      if (isOwn && endsWith(frame.subarray(0, FRAME_HEADER_BYTES), sums)) continue;
      sums = undefined;
    }
    // The last frame of a transaction has the size of the database.
    if (isOwn && frame.readUInt32BE(4) > 0) lost++;
  }
  return lost;
}

const endsWith = (header: Buffer, [first, second]: Sums): boolean =>
  header.readUInt32BE(header.length - 8) === first && header.readUInt32BE(header.length - 4) === second;

function checksum(bytes: Buffer, [first, second]: Sums, isBigEndian: boolean): Sums {
  const word = isBigEndian ? (at: number) => bytes.readUInt32BE(at) : (at: number) => bytes.readUInt32LE(at);
  let [one, two] = [first, second];
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    one = (one + word(at) + two) >>> 0;
    two = (two + word(at + 4) + one) >>> 0;
  }
  return [one, two];
}
