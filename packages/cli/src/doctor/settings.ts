import { ConfigError, readConfig } from "@parlance/server";
import { type Finding, fail, note, ok } from "./check.ts";
import { checkDataFolder } from "./machine.ts";
import { checkPort } from "./port.ts";

/** The settings, and what they point to. */
export async function checkSettings(environment: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  try {
    const { config, warnings } = readConfig(environment);
    return [
      ok("settings", "the settings are understood"),
      ...warnings.map((warning) => note("settings", warning, "See docs/configuration.md for the settings.")),
      await checkPort(config.host, config.port),
      await checkDataFolder(config.data),
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [fail("settings", error.message, "Correct or unset it.")];
  }
}
