import type { EngineName, Speech, Transcription } from "@parlance/speech";
import type { EngineEvents } from "../../telemetry/engine-events.ts";
import { type CheckReport, createCheck } from "./check-report.ts";
import { createPeriodicCheck, type PeriodicCheck, type PeriodicCheckOptions } from "./periodic-check.ts";
import { probeRecognition, probeSynthesis } from "./probes.ts";

export interface EngineChecksParts {
  readonly speech: Speech;
  readonly transcription: Transcription;
  readonly events: Pick<EngineEvents, "subscribe">;
  readonly log: PeriodicCheckOptions["log"];
  readonly times: EngineCheckTimes;
}

export interface EngineCheckTimes {
  /** How long a success is valid. 0: until the server stops. */
  readonly everyMs: number;
  readonly speechTimeoutMs?: number;
  readonly retryMs?: number;
}

/** One health check for each installed synthesis engine, and one for recognition. */
export interface EngineChecks {
  start(): void;
  reports(): readonly CheckReport[];
  close(): void;
}

const TICK_MS = 1_000;
const RETRY_MS = 5_000;
const SPEECH_TIMEOUT_MS = 20_000;
/** Recognition workers may have to start and load some hundred megabytes first. */
const RECOGNITION_TIMEOUT_MS = 90_000;
/** Workers that do not run are started for a probe at most this often. */
const COLD_EVERY_MS = 15 * 60_000;

export function createEngineChecks({ speech, transcription, events, log, times }: EngineChecksParts): EngineChecks {
  const { everyMs, speechTimeoutMs = SPEECH_TIMEOUT_MS, retryMs = RETRY_MS } = times;
  const synthesis = new Map<EngineName, PeriodicCheck>();
  const noRecognizer = createCheck("recognition");
  noRecognizer.set("absent", "no model that listens is installed");
  let recognition: { readonly check: PeriodicCheck; readonly engines: string } | undefined;
  let timer: NodeJS.Timeout | undefined;

  const engines = (): ReadonlySet<EngineName> => new Set(speech.voices().map(({ engine }) => engine));
  const synthesisCheck = (engine: EngineName): PeriodicCheck =>
    createPeriodicCheck({
      name: `synthesis_${engine}`,
      probe: (signal) => probeSynthesis(speech, engine, signal),
      everyMs: () => everyMs,
      retryMs,
      timeoutMs: speechTimeoutMs,
      log,
    });
  const recognitionCheck = (): PeriodicCheck =>
    createPeriodicCheck({
      name: "recognition",
      probe: (signal) => probeRecognition(transcription, signal),
      everyMs: () => (everyMs === 0 || transcription.workers().length > 0 ? everyMs : Math.max(everyMs, COLD_EVERY_MS)),
      retryMs,
      timeoutMs: RECOGNITION_TIMEOUT_MS,
      log,
    });

  /** Adds and removes checks: engines appear when their models are fetched. */
  function update(): void {
    const now = engines();
    for (const [engine, check] of synthesis) {
      if (now.has(engine)) continue;
      check.close();
      synthesis.delete(engine);
    }
    for (const engine of now) if (!synthesis.has(engine)) synthesis.set(engine, synthesisCheck(engine));
    const names = transcription.engines().join();
    if (names === (recognition?.engines ?? "")) return;
    recognition?.check.close();
    recognition = names === "" ? undefined : { check: recognitionCheck(), engines: names };
  }

  function tick(): void {
    update();
    for (const check of synthesis.values()) check.probeIfDue();
    recognition?.check.probeIfDue();
  }

  events.subscribe({
    chunk: ({ engine, outcome }) => {
      if (outcome === "done") synthesis.get(engine)?.markPassed();
      else if (outcome === "failed") synthesis.get(engine)?.recheckSoon();
    },
    transcribed: () => recognition?.check.markPassed(),
    transcriptionFailed: () => recognition?.check.recheckSoon(),
  });

  return {
    start() {
      tick();
      timer = setInterval(tick, TICK_MS).unref();
    },
    reports() {
      update();
      const main = speech.defaultVoice()?.engine;
      return [
        ...[...synthesis].map(([engine, { check }]) => check.report(engine === main)),
        recognition?.check.check.report(true) ?? noRecognizer.report(false),
      ];
    },
    close() {
      clearInterval(timer);
      for (const check of synthesis.values()) check.close();
      recognition?.check.close();
    },
  };
}
