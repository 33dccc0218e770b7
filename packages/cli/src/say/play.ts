import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Player } from "./player.ts";
import { openFileSink, type Sink, streamSink } from "./sink.ts";

/** A sink that plays. `finish` resolves when everything has been played. */
export async function openPlayerSink(player: Player, signal: AbortSignal): Promise<Sink> {
  return player.input === "stdin" ? openPipedPlayer(player, signal) : await openFilePlayer(player, signal);
}

function openPipedPlayer(player: Player, signal: AbortSignal): Sink {
  const child = spawn(player.command, player.args(""), { stdio: ["pipe", "ignore", "inherit"], signal });
  const ended = exitOf(child, player);
  const pipe = streamSink(child.stdin, signal);
  // The exit code of a player that ends early is a better error than "broken pipe".
  const orExitError = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      await ended;
      throw error;
    }
  };
  return {
    write: (bytes) => orExitError(pipe.write(bytes)),
    async finish() {
      await orExitError(pipe.finish());
      await ended;
    },
    async discard() {
      child.kill();
      await ended.catch(() => {});
    },
  };
}

async function openFilePlayer(player: Player, signal: AbortSignal): Promise<Sink> {
  const folder = await mkdtemp(join(tmpdir(), "parlance-say-"));
  const path = join(folder, "speech.wav");
  const file = await openFileSink(path);
  const cleanUp = () => rm(folder, { recursive: true, force: true });
  return {
    write: file.write,
    async finish() {
      await file.finish();
      try {
        await exitOf(
          spawn(player.command, player.args(path), { stdio: ["ignore", "ignore", "inherit"], signal }),
          player,
        );
      } finally {
        await cleanUp();
      }
    },
    async discard() {
      await file.discard();
      await cleanUp();
    },
  };
}

function exitOf(child: ChildProcess, player: Player): Promise<void> {
  const name = basename(player.command);
  const ended = once(child, "close").then(([code, signal]) => {
    if (code !== 0) throw new Error(`the player ${name} failed (${signal ?? `code ${code}`}); write a file with -o`);
  });
  // It may end before it is awaited.
  ended.catch(() => {});
  return ended;
}
