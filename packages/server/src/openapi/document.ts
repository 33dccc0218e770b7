import {
  asrBody,
  asrResult,
  LIVE_PATH,
  LIVE_TIMESTAMPS_PATH,
  timestampEvent,
  ttsBody,
  usageReport,
} from "@parlance/protocol";
import { z } from "zod";
import { ACCOUNT_PATHS, ACCOUNT_SCHEMAS, ACCOUNT_TAGS } from "./accounts.ts";
import { asrOperation } from "./asr.ts";
import { ERROR_SCHEMAS, errorResponses } from "./errors.ts";
import { TRACE_PATHS, TRACE_SCHEMAS } from "./traces.ts";
import { ttsOperation, ttsTimestampsOperation } from "./tts.ts";
import type { JsonSchema, OpenApiDocument, Operation } from "./types.ts";
import { USAGE_PATHS } from "./usage.ts";
import { VOICE_PATHS, VOICE_SCHEMAS, VOICE_TAGS } from "./voices.ts";
import { WALLET_PATHS, WALLET_SCHEMAS, WALLET_TAGS } from "./wallet.ts";

/** The description of the REST interface, made from the schemas that check the requests. */
export function openApiDocument(): OpenApiDocument {
  return {
    openapi: "3.1.0",
    info: {
      title: "Parlance",
      version: "1",
      description: "A voice service that you run yourself. Every answer carries the header `x-trace-id`.",
    },
    tags: [
      {
        name: "Speech",
        description: `Text to speech. Text that is still being written is spoken over a WebSocket: \`${LIVE_PATH}\` and \`${LIVE_TIMESTAMPS_PATH}\`.`,
      },
      { name: "Transcription", description: "Speech to text." },
      ...VOICE_TAGS,
      ...ACCOUNT_TAGS,
      ...WALLET_TAGS,
      { name: "Service", description: "How the server is." },
    ],
    paths: {
      "/v1/tts": { post: ttsOperation },
      "/v1/tts/stream/with-timestamp": { post: ttsTimestampsOperation },
      "/v1/asr": { post: asrOperation },
      ...VOICE_PATHS,
      ...ACCOUNT_PATHS,
      ...WALLET_PATHS,
      ...USAGE_PATHS,
      ...TRACE_PATHS,
      "/health/live": { get: health("live", "Whether the process answers") },
      "/health/ready": { get: health("ready", "Whether it can speak and takes requests") },
    },
    components: {
      schemas: {
        TtsRequest: jsonSchema(ttsBody),
        TimestampEvent: jsonSchema(timestampEvent),
        AsrRequest: jsonSchema(asrBody),
        AsrResult: jsonSchema(asrResult),
        ...jsonSchemas({ ...VOICE_SCHEMAS, ...ACCOUNT_SCHEMAS, ...WALLET_SCHEMAS }),
        UsageReport: jsonSchema(usageReport),
        ...jsonSchemas(TRACE_SCHEMAS),
        ...ERROR_SCHEMAS,
      },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key: `Authorization: Bearer <API_KEY>`." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "parlance_session",
          description:
            "The dashboard's session; over https the name is `__Host-parlance_session`. Requests that change something have to come from the service's own pages.",
        },
      },
    },
  };
}

function health(name: "live" | "ready", summary: string): Operation {
  const ok: JsonSchema = { type: "object", required: ["status"], properties: { status: { type: "string" } } };
  return {
    operationId: name,
    summary,
    tags: ["Service"],
    responses: {
      200: { description: "Yes.", content: { "application/json": { schema: ok } } },
      ...(name === "ready" ? errorResponses(["not_ready", "unavailable", "draining"]) : {}),
    },
  };
}

function jsonSchemas(schemas: Readonly<Record<string, z.ZodType>>): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, jsonSchema(schema)]));
}

function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return rest as JsonSchema;
}
