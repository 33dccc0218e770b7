import { type RunningCli, startCli } from "./run-cli.ts";

/**
 * Starts `parlance serve` with one worker of each engine, without cloning and Whisper, on a free port unless one is given.
 * Without a registry: models that are not installed are not fetched.
 */
export function startServe(data: string, settings: Readonly<Record<string, string>> = {}, port = 0): RunningCli {
  return startCli(["serve", "--port", `${port}`], {
    PARLANCE_DATA: data,
    PARLANCE_WORKERS: "1",
    PARLANCE_WHISPER: "off",
    PARLANCE_CLONING: "off",
    npm_config_registry: "http://127.0.0.1:1/",
    ...settings,
  });
}
