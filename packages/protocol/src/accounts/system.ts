import { z } from "zod";
import { count, flag, text, time } from "../wire/record-fields.ts";

/** The state of a server, for admins. */
export const systemReport = z.object({
  version: text("Of Parlance."),
  runtime: text("Node, platform and processor."),
  started_at: time("When the process started."),
  database: z.enum(["sqlite", "postgresql"]).meta({ description: "Where the records are." }),
  cores: count("CPU cores that the process may use."),
  memory: z
    .object({
      server_bytes: count("Of the server process."),
      workers_bytes: count("Of the worker processes; 0 where it is not known."),
      machine_bytes: count("Of the machine, in all."),
      machine_free_bytes: count("Of the machine, free."),
    })
    .meta({ description: "Memory in bytes." }),
  event_loop_p99_ms: z.number().meta({ description: "99th percentile of the event loop delay." }),
  streams: count("Responses that are being sent now."),
  draining: flag("Whether it is shutting down."),
  voices: count("Stock voices that can speak."),
  engines: z
    .array(
      z.object({
        name: text("Such as `kokoro`."),
        task: z.enum(["speaks", "listens"]).meta({ description: "Text to speech, or speech to text." }),
        ready: flag("Whether it can be used now."),
        workers: count("Its worker processes; 0 for those that listen, which share theirs."),
      }),
    )
    .meta({ description: "The engines of this server." }),
  settings: z
    .array(
      z.object({
        name: text("The environment variable."),
        value: text("`set` or `not set` for a secret."),
        default: text("The default value, or in words what happens without the setting."),
        meaning: text("What it sets."),
        secret: flag("Whether its value is not shown."),
        is_default: flag("Whether the default applies."),
      }),
    )
    .meta({ description: "The settings that the process runs with." }),
});
export type SystemReport = z.infer<typeof systemReport>;
