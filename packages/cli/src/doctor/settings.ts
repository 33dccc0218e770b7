import { inspectConfig, readConfig } from "@parlance/server/records";
import { type Finding, fail, note, ok } from "./check.ts";
import { checkDataFolder } from "./machine.ts";
import { checkObjectStorage } from "./object-storage.ts";
import { checkPort } from "./port.ts";

/** The settings that are given, then the port, the folder and the bucket that they name. */
export async function checkSettings(environment: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const { given, problems, warnings } = inspectConfig(environment);
  const count = `${given.length} ${given.length === 1 ? "setting is" : "settings are"} given`;
  const findings = [
    ok("settings", [count, ...given].join("\n    ")),
    ...problems.map((problem) => fail("settings", problem, "Correct or unset the variable.")),
    ...warnings.map((warning) => note("settings", warning, "docs/configuration.md lists all settings.")),
  ];
  if (problems.length > 0) return findings;
  const { config } = readConfig(environment);
  const own = [await checkPort(config.host, config.port), await checkDataFolder(config.data)];
  return [...findings, ...own, ...(config.blobs ? [await checkObjectStorage(config.blobs)] : [])];
}
