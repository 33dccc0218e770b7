import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { playerSampleRate } from "./player.ts";
import { openFileSink, type Sink } from "./sink.ts";

/** Where speech goes that could not be played. */
export interface Fallback {
  readonly path: string;
  onUsed(reason: Error): void;
}

/**
 * A player that fails, as on a machine without a sound card, must not lose the speech: a copy of it becomes a file.
 * `raw`: the player gets samples without a header.
 */
export async function withFallback(player: Sink, raw: boolean, fallback: Fallback, signal: AbortSignal): Promise<Sink> {
  const folder = await mkdtemp(join(tmpdir(), "parlance-say-"));
  const path = join(folder, "speech.wav");
  const copy = await openFileSink(path);
  if (raw) await copy.write(wavHeader(playerSampleRate));
  let failure: Error | undefined;
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    if (failure !== undefined) return;
    try {
      await work();
    } catch (error) {
      signal.throwIfAborted();
      failure = error instanceof Error ? error : new Error(String(error));
    }
  };
  const cleanUp = () => rm(folder, { recursive: true, force: true });
  return {
    async write(bytes) {
      await copy.write(bytes);
      await attempt(() => player.write(bytes));
    },
    async finish() {
      await attempt(player.finish);
      await copy.finish();
      if (failure !== undefined) {
        await copyFile(path, fallback.path);
        fallback.onUsed(failure);
      }
      await cleanUp();
    },
    async discard() {
      await player.discard();
      await copy.discard();
      await cleanUp();
    },
  };
}

/** The lengths are filled in when the file is finished. */
function wavHeader(sampleRate: number): Uint8Array {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  return header;
}
