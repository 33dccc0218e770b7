import type { SystemReport } from "@parlance/protocol";
import { type Setting, toPlainText } from "./setting.ts";
import { objectStorage } from "./settings/object-storage.ts";
import { traceExport } from "./settings/trace-export.ts";
import { type Config, type ConfigKey, SETTINGS } from "./settings.ts";

type EffectiveSetting = SystemReport["settings"][number];

/** The settings that this process runs with. Of secrets, only whether they are set. */
export function effectiveSettings(config: Config): readonly EffectiveSetting[] {
  const keys = Object.keys(SETTINGS) as ConfigKey[];
  return [...keys.map((key) => describe(SETTINGS[key], config[key])), blobsSetting(config), exportSetting(config)];
}

function describe(entry: Setting, value: unknown): EffectiveSetting {
  return {
    name: entry.name,
    value: entry.secret ? (value === undefined ? "not set" : "set") : format(value),
    default: toPlainText(entry.default),
    meaning: toPlainText(entry.meaning),
    secret: entry.secret,
    is_default: JSON.stringify(value) === JSON.stringify(entry.defaultValue()),
  };
}

function blobsSetting({ blobs }: Config): EffectiveSetting {
  return describe(objectStorage.blobsUrl, blobs && `s3://${blobs.bucket}/${blobs.prefix}`);
}

/** One line stands for the export of traces. User, password and query of the address may be secret. */
function exportSetting({ otlp }: Config): EffectiveSetting {
  const url = otlp === undefined ? undefined : new URL(otlp.url);
  return describe(traceExport.endpoint, url === undefined ? undefined : `${url.origin}${url.pathname}`);
}

function format(value: unknown): string {
  if (value === undefined) return "not set";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
