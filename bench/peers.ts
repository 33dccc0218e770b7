/**
 * Other programs on the same machine, with the same weights and texts, in one run:
 *
 *     npm run bench -- peers [--packages FOLDER] [--rounds 3]
 *
 * kokoro-js, sherpa-onnx-node with Piper, and transformers.js with Whisper are installed from the npm registry into FOLDER, by
 * default one below the system's temporary folder. Ratios are this service's figures as a share of theirs.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { PEER_PACKAGES, type PeerName } from "./peers/names.ts";
import type { SpokenText } from "./peers/peer.ts";
import { startPeer } from "./peers/start-peer.ts";
import { compareTranscription } from "./peers/transcription.ts";
import { ofLength } from "./sentences.ts";
import { startBenchServer } from "./server-handle.ts";
import { streamSpeech } from "./speech-client.ts";
import { median, round } from "./statistics.ts";

/** The service has two workers, which take turns. */
const WARM_UPS = 4;
const texts = [
  { length: 20, text: "Good morning, friend." },
  ...[40, 160, 1000].map((length) => ({ length, text: ofLength(length) })),
];

export async function benchPeers(args: readonly string[]): Promise<unknown> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      packages: { type: "string", default: join(tmpdir(), "parlance-peers") },
      rounds: { type: "string", default: "3" },
    },
  });
  const packages = resolve(values.packages);
  install(packages);
  const rounds = Number(values.rounds);
  const speech: Record<string, unknown> = {};
  for (const [peer, engine] of [
    ["kokoro-js", "kokoro"],
    ["sherpa-onnx-node", "piper"],
  ] as const) {
    speech[peer] = await orReason(() => compareSpeech(peer, engine, packages, rounds));
  }
  return { speech, transcription: await orReason(() => compareTranscription(packages, rounds)) };
}

function install(packages: string): void {
  if (existsSync(join(packages, "node_modules/kokoro-js"))) return;
  mkdirSync(packages, { recursive: true });
  writeFileSync(join(packages, "package.json"), JSON.stringify({ private: true }));
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
  execFileSync("npm", ["install", ...options, ...PEER_PACKAGES], { cwd: packages, stdio: "inherit" });
}

/** What cannot be had here is left out, with the reason. */
async function orReason<T>(compare: () => Promise<T>): Promise<T | { readonly leftOut: string }> {
  try {
    return await compare();
  } catch (error) {
    const leftOut = error instanceof Error ? error.message : String(error);
    console.log(`left out: ${leftOut}`);
    return { leftOut };
  }
}

async function compareSpeech(name: PeerName, engine: "kokoro" | "piper", packages: string, rounds: number) {
  const peer = await startPeer(name, packages);
  const rows: Record<string, Record<string, number>> = {};
  try {
    const server = await startBenchServer({ speech: engine });
    const ours = (text: string) => streamSpeech(server.url, server.key, text, engine);
    try {
      for (let warm = 0; warm < WARM_UPS; warm++) {
        for (const speak of [ours, peer.speak]) await speak("This is only to begin with.");
      }
      for (const { length, text } of texts) {
        const own: SpokenText[] = [];
        const theirs: SpokenText[] = [];
        // In turns, so that both see the same state of the machine.
        for (let round = 0; round < rounds; round++) {
          own.push(await ours(text));
          theirs.push(await peer.speak(text));
        }
        rows[`${length} characters`] = row(own, theirs, name);
      }
      const { rssMb, workersRssMb } = await server.report();
      const memory = await peer.close();
      rows["memory MB"] = { service: round(rssMb + workersRssMb), [name]: round(memory) };
    } finally {
      await server.close();
    }
  } finally {
    await peer.close();
  }
  console.log(`\n${name}, and this service with ${engine} over HTTP`);
  console.table(rows);
  return rows;
}

function row(own: readonly SpokenText[], theirs: readonly SpokenText[], name: string) {
  const first = (runs: readonly SpokenText[]) => median(runs.map((run) => run.firstAudioMs));
  const speed = (runs: readonly SpokenText[]) => median(runs.map((run) => run.totalMs / 1000 / run.audioSeconds));
  const whole = (runs: readonly SpokenText[]) => median(runs.map((run) => run.totalMs));
  return {
    "first audio ms": round(first(own)),
    [`${name} ms`]: round(first(theirs)),
    "first audio, ratio": round(first(own) / first(theirs), 4),
    RTF: round(speed(own), 3),
    [`${name} RTF`]: round(speed(theirs), 3),
    "RTF, ratio": round(speed(own) / speed(theirs), 3),
    // The peers leave the silence around each sentence in, which counts as audio above.
    "whole text, ratio": round(whole(own) / whole(theirs), 3),
  };
}
