import { LIMITS, signInLink, VOICE_LIMITS } from "@parlance/protocol";
import {
  type Config,
  closeOnSignal,
  createEngineEvents,
  createLog,
  type EngineEvents,
  type Log,
  logEvent,
  type RunningServer,
  startServer,
} from "@parlance/server";
import {
  type Cloning,
  createCloning,
  createModelStore,
  createSayTrial,
  createSpeech,
  createTranscription,
  type EngineName,
  type ModelStore,
  ModelStoreError,
  preferredEngines,
  type Speech,
  selectModels,
  type Transcription,
} from "@parlance/speech";
import { interruptible } from "../interrupt.ts";
import { modelOf, pullWithProgress } from "../models.ts";
import type { Terminal } from "../terminal.ts";
import { createBackgroundFetch } from "./background-fetch.ts";

/** Models, then engines, then the server; runs until a signal asks it to stop. */
export async function runService(config: Config, environment: NodeJS.ProcessEnv, terminal: Terminal): Promise<void> {
  const log = createLog(config.log);
  const events = createEngineEvents();
  const store = createModelStore({ directory: config.models, environment });
  const engines = preferredEngines.filter((engine) => engine !== "kokoro" || config.kokoro !== "off");
  await fetchVoices(engines, store, environment, terminal);
  const speech = await createSpeech({
    models: store,
    queue: config.queue,
    keepAhead: config.keepAhead === "on",
    ...(config.workers === undefined ? {} : { workers: config.workers }),
    engines,
    kokoroQuality: config.kokoroQuality,
    onWorkerLost(engine, reason) {
      logEvent(log, "worker.lost", { engine, reason });
      events.workerLost(engine);
    },
    onChunk: events.chunk,
  });
  const transcription = await createTranscription({
    models: listeningModels(store, config),
    workers: config.asrWorkers,
    whisper: config.whisper === "off" ? undefined : config.whisper,
    minSeconds: LIMITS.asrSeconds.min,
    maxSeconds: LIMITS.asrSeconds.max,
    onWorkerLost(reason) {
      logEvent(log, "worker.lost", { engine: "recognition", reason });
      events.workerLost("recognition");
    },
  });
  const background = new AbortController();
  const fetching = createBackgroundFetch({ store, refresh, log, signal: background.signal });
  const cloning =
    config.cloning === "off"
      ? undefined
      : await createCloning({
          models: store,
          leastSeconds: VOICE_LIMITS.minSeconds,
          mostSeconds: VOICE_LIMITS.maxSeconds,
          onWorkerLost(reason) {
            logEvent(log, "worker.lost", { engine: "cloning", reason });
            events.workerLost("cloning");
          },
          sayTrial: createSayTrial(speech),
          onWanted: () => fetching.want(idsOf("clone")),
        });
  async function refresh(): Promise<void> {
    await Promise.all([speech.refresh(), transcription.refresh(), cloning?.refresh()]);
  }
  try {
    const server = await listen(config, { speech, transcription, cloning, events }, log);
    // before anybody is told that it runs: a signal from now on means a clean stop
    const stopped = closeOnSignal(server);
    greet(server, config.publicUrl, terminal);
    fetching.want(wantedModels(engines, config));
    await stopped;
  } finally {
    background.abort();
    await fetching.ended();
    await Promise.all([speech.close(), transcription.close(), cloning?.close()]);
  }
}

/** Whisper is left out where that was asked for, and no request ever waits for a download: they run in the background. */
function listeningModels(store: ModelStore, { whisper }: Config): ModelStore {
  const unwanted = (id: string): boolean => whisper === "off" && id.startsWith("whisper-");
  return { ...store, has: async (id) => !unwanted(id) && store.has(id), pull: async () => {} };
}

/** What is needed to speak comes before the start. Where it cannot be fetched, any engine that is installed will do. */
async function fetchVoices(
  engines: readonly EngineName[],
  store: ModelStore,
  environment: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<void> {
  const [first] = engines;
  if (!first) return;
  try {
    await interruptible((signal) => pullWithProgress(store, [modelOf(first)], environment, signal));
  } catch (error) {
    const installed = await Promise.all(engines.map((engine) => store.has(modelOf(engine))));
    if (!(error instanceof ModelStoreError) || !installed.includes(true)) throw error;
    terminal.tell(terminal.style.yellow(`The default voices are not here: ${error.message}`));
  }
}

interface Parts {
  readonly speech: Speech;
  readonly transcription: Transcription;
  readonly cloning: Cloning | undefined;
  readonly events: EngineEvents;
}

async function listen(config: Config, parts: Parts, log: Log): Promise<RunningServer> {
  try {
    return await startServer({ config, ...parts, log });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const place = `port ${config.port} of ${config.host}`;
    if (code === "EADDRINUSE")
      throw new Error(`${place} is in use; choose another: parlance serve --port ${config.port + 1}`, { cause: error });
    if (code === "EACCES") throw new Error(`no permission to listen on ${place}`, { cause: error });
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      throw new Error(`${config.host} is not an address of this machine`, { cause: error });
    throw error;
  }
}

/** All of it at once: whoever waits for the address, a script perhaps, finds the link and the key beside it. */
function greet(
  { url, bootstrap: { freshKey, signInToken } }: RunningServer,
  publicUrl: string | undefined,
  { tell, style }: Terminal,
): void {
  const parts = [`${style.green("✓")} Parlance listens at ${style.bold(url)} (API: ${url}/docs)`];
  if (signInToken !== undefined) {
    parts.push(`
Sign in here, once and within a day; parlance users link makes another link:

  ${style.bold(signInLink(publicUrl ?? url, signInToken))}`);
  }
  if (freshKey !== undefined) {
    parts.push(`
Your API key. It is shown this once, only its hash is kept:

  ${style.bold(freshKey)}

First sound:

  curl ${url}/v1/tts -H "Authorization: Bearer ${freshKey}" -H "model: s2-pro" \\
    -H "Content-Type: application/json" -d '{"text": "Hello! This voice never left my machine."}' -o hello.mp3
`);
  }
  tell(parts.join("\n"));
}

/** The models of a server with these settings. */
function wantedModels(engines: readonly EngineName[], { whisper, cloning }: Config): readonly string[] {
  // Most servers never make a voice: for those that do, what it takes is fetched for the first one.
  const usual = idsOf("default", ...(cloning === "on" ? ["clone"] : []));
  const unwanted = preferredEngines.filter((engine) => !engines.includes(engine)).map(modelOf);
  const kept = usual.filter((id) => !unwanted.includes(id) && !id.startsWith("whisper-"));
  return whisper === "off" ? kept : [...kept, `whisper-${whisper}`];
}

const idsOf = (...sets: readonly string[]): readonly string[] => selectModels(sets).map(({ id }) => id);
