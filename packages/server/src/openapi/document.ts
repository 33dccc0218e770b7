import { LISTEN_PATH, LIVE_PATH, LIVE_TIMESTAMPS_PATH } from "@parlance/protocol";
import { takeTurn } from "@parlance/speech";
import type { DocumentedRoute } from "./collect-routes.ts";
import { ERROR_SCHEMAS } from "./errors.ts";
import { toOperation } from "./operation.ts";
import { jsonSchema, recordSchemas } from "./schemas.ts";
import type { OpenApiDocument, Operation, RequestBody } from "./types.ts";

/** In the order of the document. A route has the tag of the first prefix that its path starts with. */
const TAGS = [
  {
    prefixes: ["/v1/tts"],
    name: "Speech",
    description: `Text to speech. For text that is still being written there is a WebSocket: \`${LIVE_PATH}\` and \`${LIVE_TIMESTAMPS_PATH}\`.`,
  },
  {
    prefixes: ["/v1/asr"],
    name: "Transcription",
    description: `Speech to text. For audio that is still being spoken there is a WebSocket: \`${LISTEN_PATH}\`.`,
  },
  {
    prefixes: ["/model", "/v1/voice-design"],
    name: "Voices",
    description: "The catalog of voices, and voices made from recordings or descriptions.",
  },
  { prefixes: ["/projects"], name: "Projects", description: "Long texts, spoken paragraph by paragraph." },
  { prefixes: ["/account"], name: "Account", description: "The account of the caller." },
  { prefixes: ["/wallet"], name: "Wallet", description: "Credits: the balance and the ledger." },
  {
    prefixes: ["/v1/audio", "/v1/models", "/v1/realtime", "/compat"],
    name: "OpenAI",
    description: "The audio API of OpenAI, for its clients. Its errors have the shape of that API.",
  },
  {
    prefixes: ["/v1/text-to-speech", "/v1/speech-to-text", "/v1/voices", "/v2/voices", "/elevenlabs"],
    name: "ElevenLabs",
    description: "The API of ElevenLabs, for its clients.",
  },
  { prefixes: ["/v1/listen"], name: "Deepgram", description: "The API of Deepgram, for its clients." },
  { prefixes: ["/mcp"], name: "Tools", description: "Tools for language models." },
  { prefixes: ["/admin"], name: "Administration", description: "All accounts, for admins." },
  { prefixes: ["/"], name: "Service", description: "The state of the server." },
] as const;

/**
 * The OpenAPI document of these routes, made from the schemas that validate the requests. Each route has a turn of the event
 * loop of its own: all together would block it for a tenth of a second.
 */
export async function openApiDocument(routes: readonly DocumentedRoute[]): Promise<OpenApiDocument> {
  const paths: Record<string, Record<string, Operation>> = {};
  const requestBodies: Record<string, RequestBody> = {};
  for (const { name } of TAGS) {
    for (const route of routes.filter(({ path }) => tagOf(path) === name)) {
      await takeTurn();
      const { body } = route.docs;
      paths[route.path] = { ...paths[route.path], [route.method]: toOperation(route, name) };
      if (body === undefined) continue;
      const schema = jsonSchema(body.schema);
      const types = body.types ?? ["application/json"];
      requestBodies[body.name] = {
        required: true,
        content: Object.fromEntries([
          ...types.map((type) => [type, { schema }] as const),
          ...(body.textTypes ?? []).map((type) => [type, { schema: { type: "string" } }] as const),
        ]),
      };
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Parlance",
      version: "1",
      description: "A self-hosted voice service. Every response has the header `x-trace-id`.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "This server." }],
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: { ...recordSchemas(), ...ERROR_SCHEMAS },
      requestBodies,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key: `Authorization: Bearer <API_KEY>`." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "parlance_session",
          description:
            "The session of the dashboard; over https the cookie is `__Host-parlance_session`. Requests that change something must come from the pages of this server.",
        },
      },
    },
  };
}

function tagOf(path: string): string {
  return TAGS.find(({ prefixes }) => prefixes.some((prefix) => path.startsWith(prefix)))?.name ?? "Service";
}
