import { LIVE_PATH, LIVE_TIMESTAMPS_PATH, timestampEvent, ttsBody } from "@parlance/protocol";
import { z } from "zod";
import { ERROR_SCHEMAS, errorResponses } from "./errors.ts";
import { ttsOperation, ttsTimestampsOperation } from "./tts.ts";
import type { JsonSchema, OpenApiDocument, Operation } from "./types.ts";

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
      { name: "Service", description: "How the server is." },
    ],
    paths: {
      "/v1/tts": { post: ttsOperation },
      "/v1/tts/stream/with-timestamp": { post: ttsTimestampsOperation },
      "/health/live": { get: health("live", "Whether the process answers") },
      "/health/ready": { get: health("ready", "Whether it can speak and takes requests") },
    },
    components: {
      schemas: { TtsRequest: jsonSchema(ttsBody), TimestampEvent: jsonSchema(timestampEvent), ...ERROR_SCHEMAS },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key: `Authorization: Bearer <API_KEY>`." },
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
      ...(name === "ready" ? errorResponses(["not_ready", "draining", "internal"]) : {}),
    },
  };
}

function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return rest as JsonSchema;
}
