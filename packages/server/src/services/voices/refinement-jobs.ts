import { type Cloning, lettersPerSecond, type RefinedVoice } from "@parlance/speech";
import type { Store } from "../../stores/store.ts";
import type { VoiceBlob } from "../../stores/voice-blobs.ts";
import type { Log } from "../../telemetry/log.ts";
import type { Node } from "../cluster/node.ts";
import { isoTime } from "../identity/keys.ts";
import { toBytes, toNumbers } from "./embedding.ts";

/** What is done for a voice after it was made: its recordings are written down, and it is brought closer to them. */
export interface VoiceWork {
  /** There may be something to do. */
  poke(): void;
  /** The voice is gone: what is being done for it is not wanted any more. */
  forget(voiceId: string): void;
  close(): Promise<void>;
}

export interface VoiceWorkParts {
  readonly store: Store;
  readonly node: Node;
  readonly cloning: Pick<Cloning, "refine" | "missing">;
  /** Writes down what is said in a recording; undefined when nobody can listen now. */
  readonly transcribe: (recording: Buffer, signal: AbortSignal) => Promise<string | undefined>;
  readonly log: Pick<Log, "info" | "warn">;
  readonly now?: () => number;
}

/** One voice at a time: this is what the machine does when it has nothing better to do. */
export function createVoiceWork(parts: VoiceWorkParts): VoiceWork {
  const { store, node, cloning, log, now = Date.now } = parts;
  const closing = new AbortController();
  let current: { readonly voiceId: string; readonly controller: AbortController } | undefined;
  let working: Promise<void> | undefined;
  let again = false;

  async function writeDown(voiceId: string, signal: AbortSignal): Promise<readonly VoiceBlob[]> {
    for (const { number, text, bytes } of await store.voiceBlobs.list(voiceId, "recording")) {
      if (text !== null) continue;
      signal.throwIfAborted();
      const heard = await parts.transcribe(bytes, signal).catch((err: unknown) => {
        if (!signal.aborted) log.warn({ err, voiceId }, "a recording of a voice was not written down");
        return undefined;
      });
      if (heard !== undefined) await store.voiceBlobs.setText(voiceId, "recording", number, heard);
    }
    return store.voiceBlobs.list(voiceId, "recording");
  }

  /** False when the voice is gone, or another node's by now. */
  async function keep(voiceId: string, refined: RefinedVoice, done: boolean): Promise<boolean> {
    const { embedding, pace, similarity } = refined;
    const progress = { pace: Math.round(pace * 1000), similarity: Math.round(similarity * 1000), done };
    return store.transaction(async (records) => {
      if (!(await records.voiceWork.keep(voiceId, node.id, progress, isoTime(now())))) return false;
      await records.voiceBlobs.remove(voiceId, "sample");
      if (typeof embedding === "string") await records.voices.setSpeaker(voiceId, embedding);
      else {
        const bytes = toBytes(embedding);
        await records.voiceBlobs.put(voiceId, "embedding", { number: 0, type: "float32", text: null, bytes });
        await records.voices.setSpeaker(voiceId, "");
      }
      return true;
    });
  }

  async function refine(voiceId: string, signal: AbortSignal): Promise<void> {
    const texts = await writeDown(voiceId, signal);
    const recordings = (await store.voiceBlobs.list(voiceId, "heard")).map(toHeard);
    const first = await store.voiceBlobs.find(voiceId, "embedding");
    // It was deleted meanwhile.
    if (first === undefined || recordings.length === 0) return;
    let embedding: string | Float32Array = toNumbers(first.bytes);
    const rate = lettersPerSecond(texts.map(({ text }, index) => ({ text, seconds: recordings[index]?.weight ?? 0 })));
    for (const pass of ["quick", "thorough"] as const) {
      const startedAt = now();
      const refined = await cloning.refine({ recordings, embedding, lettersPerSecond: rate, pass }, signal);
      if (!(await keep(voiceId, refined, pass === "thorough"))) return;
      embedding = refined.embedding;
      const { similarity, startSimilarity } = refined;
      log.info(
        { voiceId, pass, similarity, startSimilarity, ms: now() - startedAt },
        "a voice was brought closer to its speaker",
      );
    }
  }

  /** False when there was nothing to do. */
  async function workOnOne(): Promise<boolean> {
    if (cloning.missing().length > 0) return false;
    const voiceId = await store.voiceWork.claim(node.id);
    if (voiceId === undefined) return false;
    const controller = new AbortController();
    current = { voiceId, controller };
    try {
      await refine(voiceId, AbortSignal.any([controller.signal, closing.signal]));
    } catch (err) {
      if (closing.signal.aborted) return false;
      if (!controller.signal.aborted) log.warn({ err, voiceId }, "a voice could not be brought closer to its speaker");
      await store.voiceWork.giveUp(voiceId, node.id);
    } finally {
      current = undefined;
    }
    return true;
  }

  async function work(): Promise<void> {
    do {
      again = false;
      while (!closing.signal.aborted && (await workOnOne()));
    } while (again && !closing.signal.aborted);
  }

  function poke(): void {
    again = true;
    if (closing.signal.aborted) return;
    working ??= work()
      .catch((err: unknown) => log.warn({ err }, "voices were not worked on; it is tried again"))
      .finally(() => {
        working = undefined;
      });
  }

  node.onDead((nodeId) => store.voiceWork.release(nodeId));
  node.onBeat(async () => poke());
  return {
    poke,
    forget(voiceId) {
      if (current?.voiceId === voiceId) current.controller.abort(new Error("the voice was deleted"));
    },
    async close() {
      closing.abort(new Error("the server is shutting down"));
      await working;
      // Where the database is away by now, others take it over as from a node that died.
      await store.voiceWork
        .putBack(node.id)
        .catch((err: unknown) => log.warn({ err }, "voices that were worked on were not put back"));
    },
  };
}

function toHeard({ bytes }: VoiceBlob) {
  const [weight = 0, pitch = 0, ...vector] = toNumbers(bytes);
  return { weight, pitch: pitch === 0 ? undefined : pitch, vector: Float32Array.from(vector) };
}
