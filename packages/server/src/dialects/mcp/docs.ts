import { z } from "zod";
import type { RouteDocs } from "../../openapi/route-docs.ts";
import { jsonSchema } from "../../openapi/schemas.ts";

const message = z.looseObject({
  jsonrpc: z.literal("2.0").meta({ description: "The version of JSON-RPC." }),
  id: z
    .union([z.string(), z.number()])
    .optional()
    .meta({ description: "Of the request, and of its answer. Notifications have none." }),
  method: z.string().optional().meta({ description: "Such as `tools/call`. Answers have none." }),
  params: z.record(z.string(), z.unknown()).optional().meta({ description: "What the method takes." }),
});

export const MCP_DOCS: RouteDocs = {
  id: "modelContextProtocol",
  summary: "Tools for language models",
  description:
    "The Model Context Protocol over streamable HTTP, without sessions: one message of JSON-RPC in, its answer out. The tools are `speak`, `transcribe` and `list_voices`; their work is charged and limited like requests to `/v1/tts` and `/v1/asr`. It needs an API key.",
  body: { name: "McpMessage", schema: message },
  responses: {
    200: {
      description: "The answer, as JSON or as an event stream.",
      content: {
        "application/json": { schema: jsonSchema(message) },
        "text/event-stream": { schema: { type: "string" } },
      },
    },
    202: { description: "A notification was accepted; it has no answer." },
  },
};
