import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Fallback, withFallback } from "./fallback.ts";
import type { Player } from "./player.ts";
import { openFileSink, type Sink, streamSink } from "./sink.ts";

/** A sink that plays. `finish` resolves when everything has been played, or was written to the fallback. */
export async function openPlayerSink(player: Player, signal: AbortSignal, fallback?: Fallback): Promise<Sink> {
  const isPiped = player.input === "stdin";
  const sink = isPiped ? openPipedPlayer(player, signal) : await openFilePlayer(player, signal);
  return fallback === undefined ? sink : withFallback(sink, isPiped, fallback, signal);
}

function openPipedPlayer(player: Player, signal: AbortSignal): Sink {
  const child = spawn(player.command, player.args(""), { stdio: ["pipe", "ignore", "pipe"], signal });
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
        await exitOf(spawn(player.command, player.args(path), { stdio: ["ignore", "ignore", "pipe"], signal }), player);
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

const MAX_MESSAGES = 65_536;

function exitOf(child: ChildProcess, player: Player): Promise<void> {
  const name = basename(player.command);
  // Sound libraries write pages of messages. The first line of a failure says enough.
  let messages = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    if (messages.length < MAX_MESSAGES) messages += text;
  });
  const ended = once(child, "close").then(([code, signal]) => {
    if (code === 0 && player.failure?.test(messages) !== true) return;
    const [first = ""] = messages.trim().split("\n");
    throw new Error(`the player ${name} failed (${signal ?? `code ${code}`})${first === "" ? "" : `: ${first}`}`);
  });
  // It may end before it is awaited.
  ended.catch(() => {});
  return ended;
}
