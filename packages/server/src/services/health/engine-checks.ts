import type { EngineName, Speech, Transcription } from "@parlance/speech";
import type { EngineEvents } from "../../telemetry/engine-events.ts";
import type { Log } from "../../telemetry/log.ts";
import { type CheckReport, createCheck } from "./check-report.ts";
import { type Canary, createCanary } from "./periodic-check.ts";
import { hearSomething, saySomething } from "./probes.ts";

export interface CanariesParts {
  readonly speech: Speech;
  readonly transcription: Transcription;
  readonly events: Pick<EngineEvents, "listen">;
  readonly log: Pick<Log, "info" | "warn">;
  readonly times: CanaryTimes;
}

export interface CanaryTimes {
  /** How long a proof lasts. 0: from the start to the end. */
  readonly everyMs: number;
  readonly speechTimeoutMs?: number;
  readonly retryMs?: number;
}

/** Which engines there are, and whether they do what they are for. */
export interface Canaries {
  start(): void;
  reports(): readonly CheckReport[];
  close(): void;
}

const LOOK_EVERY_MS = 1_000;
const RETRY_MS = 5_000;
const SPEECH_TIMEOUT_MS = 20_000;
/** Those who listen may have to be started and to load some hundred megabytes first. */
const RECOGNITION_TIMEOUT_MS = 90_000;
/** And because they have, they are not started too often only to see whether they could be. */
const COLD_EVERY_MS = 15 * 60_000;

export function createCanaries({ speech, transcription, events, log, times }: CanariesParts): Canaries {
  const { everyMs, speechTimeoutMs = SPEECH_TIMEOUT_MS, retryMs = RETRY_MS } = times;
  const speaking = new Map<EngineName, Canary>();
  const deaf = createCheck("recognition");
  deaf.set("absent", "no model that listens is installed");
  let listening: { readonly canary: Canary; readonly engines: string } | undefined;
  let timer: NodeJS.Timeout | undefined;

  const engines = (): ReadonlySet<EngineName> => new Set(speech.voices().map(({ engine }) => engine));
  const speaker = (engine: EngineName): Canary =>
    createCanary({
      name: `synthesis_${engine}`,
      run: (signal) => saySomething(speech, engine, signal),
      everyMs: () => everyMs,
      retryMs,
      timeoutMs: speechTimeoutMs,
      log,
    });
  const listener = (): Canary =>
    createCanary({
      name: "recognition",
      run: (signal) => hearSomething(transcription, signal),
      everyMs: () => (everyMs === 0 || transcription.workers().length > 0 ? everyMs : Math.max(everyMs, COLD_EVERY_MS)),
      retryMs,
      timeoutMs: RECOGNITION_TIMEOUT_MS,
      log,
    });

  /** Engines appear when their models do. */
  function gather(): void {
    const now = engines();
    for (const [engine, canary] of speaking) {
      if (now.has(engine)) continue;
      canary.close();
      speaking.delete(engine);
    }
    for (const engine of now) if (!speaking.has(engine)) speaking.set(engine, speaker(engine));
    const names = transcription.engines().join();
    if (names === (listening?.engines ?? "")) return;
    listening?.canary.close();
    listening = names === "" ? undefined : { canary: listener(), engines: names };
  }

  function look(): void {
    gather();
    for (const canary of speaking.values()) canary.tick();
    listening?.canary.tick();
  }

  events.listen({
    chunk: ({ engine, outcome }) => {
      if (outcome === "done") speaking.get(engine)?.prove();
      else if (outcome === "failed") speaking.get(engine)?.doubt();
    },
    transcribed: () => listening?.canary.prove(),
    transcriptionFailed: () => listening?.canary.doubt(),
  });

  return {
    start() {
      look();
      timer = setInterval(look, LOOK_EVERY_MS).unref();
    },
    reports() {
      gather();
      const main = speech.defaultVoice()?.engine;
      return [
        ...[...speaking].map(([engine, { check }]) => check.report(engine === main)),
        listening?.canary.check.report(true) ?? deaf.report(false),
      ];
    },
    close() {
      clearInterval(timer);
      for (const canary of speaking.values()) canary.close();
      listening?.canary.close();
    },
  };
}
