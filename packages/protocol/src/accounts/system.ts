import { z } from "zod";

const count = z.number().int().min(0);

/** The state of a server, for admins. */
export const systemReport = z.object({
  version: z.string(),
  runtime: z.string().meta({ description: "Node, platform and processor." }),
  started_at: z.string().meta({ format: "date-time" }),
  database: z.enum(["sqlite", "postgresql"]),
  cores: count,
  memory: z.object({
    server_bytes: count.meta({ description: "Of the server process." }),
    workers_bytes: count.meta({ description: "Of the worker processes; 0 where it is not known." }),
    machine_bytes: count,
    machine_free_bytes: count,
  }),
  event_loop_p99_ms: z.number().meta({ description: "99th percentile of the event loop delay." }),
  streams: count.meta({ description: "Responses that are being sent now." }),
  draining: z.boolean(),
  voices: count,
  engines: z.array(
    z.object({
      name: z.string(),
      task: z.enum(["speaks", "listens"]),
      ready: z.boolean(),
      workers: count,
    }),
  ),
  settings: z
    .array(
      z.object({
        name: z.string(),
        value: z.string().meta({ description: "`set` or `not set` for a secret." }),
        default: z.string().meta({ description: "The default value, or in words what happens without the setting." }),
        meaning: z.string(),
        secret: z.boolean(),
        is_default: z.boolean(),
      }),
    )
    .meta({ description: "The settings that the process runs with." }),
});
export type SystemReport = z.infer<typeof systemReport>;
