import { type Config, closeOnSignal, createLog, type Log, type RunningServer, startServer } from "@parlance/server";
import { createModelStore, createSpeech, type ModelStore, ModelStoreError, type Speech } from "@parlance/speech";
import { interruptible } from "./interrupt.ts";
import { modelOf, pullWithProgress } from "./models.ts";
import type { Terminal } from "./terminal.ts";

/** Models, then engines, then the server; runs until a signal asks it to stop. */
export async function runService(config: Config, environment: NodeJS.ProcessEnv, terminal: Terminal): Promise<void> {
  const log = createLog(config.log);
  const store = createModelStore({ directory: config.models, environment });
  await fetchDefaults(store, environment, terminal);
  const speech = await createSpeech({
    models: store,
    queue: config.queue,
    ...(config.workers === undefined ? {} : { workers: config.workers }),
    ...(config.kokoro === "off" ? { engines: ["piper"] as const } : {}),
    onWorkerLost: (engine, reason) => log.warn({ engine, reason }, "a worker was lost and is replaced"),
  });
  const background = new AbortController();
  let fetching: Promise<void> | undefined;
  try {
    const server = await listen(config, speech, log);
    // before anybody is told that it runs: a signal from now on means a clean stop
    const stopped = closeOnSignal(server);
    greet(server, terminal);
    if (config.kokoro === "auto") fetching = addKokoro(store, speech, log, background.signal);
    await stopped;
  } finally {
    background.abort();
    await fetching;
    await speech.close();
  }
}

/** A server that can speak starts, even when it cannot fetch what else it could do. */
async function fetchDefaults(store: ModelStore, environment: NodeJS.ProcessEnv, terminal: Terminal): Promise<void> {
  try {
    await interruptible((signal) => pullWithProgress(store, ["default"], environment, signal));
  } catch (error) {
    if (!(error instanceof ModelStoreError) || !(await store.has(modelOf("piper")))) throw error;
    terminal.tell(terminal.style.yellow(`Not all default models are here: ${error.message}`));
  }
}

async function listen(config: Config, speech: Speech, log: Log): Promise<RunningServer> {
  try {
    return await startServer({ config, speech, log });
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

function greet({ url, bootstrap: { freshKey } }: RunningServer, { tell, style }: Terminal): void {
  tell(`${style.green("✓")} Parlance listens at ${style.bold(url)} (API: ${url}/docs)`);
  if (freshKey === undefined) return;
  tell(`
Your API key. It is shown this once, only its hash is kept:

  ${style.bold(freshKey)}

First sound:

  curl ${url}/v1/tts -H "Authorization: Bearer ${freshKey}" -H "model: s2-pro" \\
    -H "Content-Type: application/json" -d '{"text": "Hello! This voice never left my machine."}' -o hello.mp3
`);
}

/** Never fails: the server speaks without it. */
async function addKokoro(store: ModelStore, speech: Speech, log: Log, signal: AbortSignal): Promise<void> {
  const id = modelOf("kokoro");
  try {
    if (await store.has(id)) return;
    log.info({ model: id }, "fetching the Kokoro voices in the background");
    await store.pull([id], { signal });
    await speech.refresh();
    log.info({ model: id }, "the Kokoro voices are ready");
  } catch (error) {
    if (!signal.aborted) log.warn({ model: id, reason: String(error) }, "the Kokoro voices could not be fetched");
  }
}
