import type { BlobSettings } from "./blobs.ts";
import type { OtlpSettings } from "./otlp.ts";
import type { Setting, ValueOf } from "./setting.ts";
import { accounts } from "./settings/accounts.ts";
import { client } from "./settings/client.ts";
import { cluster } from "./settings/cluster.ts";
import { conversation } from "./settings/conversation.ts";
import { limits } from "./settings/limits.ts";
import { network } from "./settings/network.ts";
import { objectStorage } from "./settings/object-storage.ts";
import { observability } from "./settings/observability.ts";
import { oidc } from "./settings/oidc.ts";
import { speech } from "./settings/speech.ts";
import { storage } from "./settings/storage.ts";
import { traceExport } from "./settings/trace-export.ts";
import { wyoming } from "./settings/wyoming.ts";

/** Every setting of the server, by its name in `Config`. */
export const SETTINGS = {
  ...network,
  ...storage,
  ...accounts,
  ...oidc,
  ...speech,
  ...cluster,
  ...limits,
  ...observability,
  ...wyoming,
  ...conversation,
};

export type ConfigKey = keyof typeof SETTINGS;

/** The values of all settings. */
export type Config = { readonly [Key in ConfigKey]: ValueOf<(typeof SETTINGS)[Key]> } & {
  /** From the `OTEL_*` settings; undefined: traces are not exported. */
  readonly otlp: OtlpSettings | undefined;
  /** From `PARLANCE_BLOBS_URL` and the `AWS_*` settings; undefined: files of voices are in the database. */
  readonly blobs: BlobSettings | undefined;
};

export interface SettingGroup {
  readonly title: string;
  /** Markdown to put before the settings. */
  readonly intro?: string;
  readonly settings: readonly Setting[];
}

/** All settings in the order of the documentation. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  { title: "Network", settings: Object.values(network) },
  { title: "Storage", settings: Object.values(storage) },
  {
    title: "Object storage",
    intro: "The variables of AWS have an effect only where `PARLANCE_BLOBS_URL` is set.",
    settings: Object.values(objectStorage),
  },
  { title: "First admin", settings: Object.values(accounts) },
  { title: "Sign-in with a provider", settings: Object.values(oidc) },
  { title: "Engines", settings: Object.values(speech) },
  { title: "Several machines", settings: Object.values(cluster) },
  { title: "Limits and prices", settings: Object.values(limits) },
  { title: "Wyoming", settings: Object.values(wyoming) },
  {
    title: "Conversations",
    intro: "The language model that answers in conversations, see [conversation.md](conversation.md).",
    settings: Object.values(conversation),
  },
  { title: "Logs, health checks, metrics and traces", settings: Object.values(observability) },
  {
    title: "Export of traces",
    intro:
      "The standard variables of OpenTelemetry. They have an effect only where an endpoint is set. See [tracing.md](tracing.md).",
    settings: Object.values(traceExport),
  },
  { title: "Commands that use a server", settings: Object.values(client) },
];

/** Former names. A variable of this name stops the start, so that it is not ignored by mistake. */
export const RENAMED: Readonly<Record<string, string>> = {
  PARLANCE_CANARY_SECONDS: observability.healthCheckSeconds.name,
};
