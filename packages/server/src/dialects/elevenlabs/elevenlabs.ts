import { admit } from "../../http/admission.ts";
import type { Dialect } from "../dialect.ts";
import { elevenLabsErrorBody } from "./error-body.ts";
import { modelRoutes } from "./models.ts";
import { speechRoutes } from "./speech.ts";
import { transcriptRoute } from "./transcripts.ts";
import { voiceRoutes } from "./voices.ts";

/** `/v1/models` is also a path of OpenAI; clients of ElevenLabs send another key header. */
const SHARED_PREFIX = "/elevenlabs";

/** The API of ElevenLabs, as far as it speaks and listens. Its sockets are added by the composition. */
export const elevenlabs: Dialect = {
  name: "elevenlabs",
  paths: ["/v1/text-to-speech", "/v1/speech-to-text", "/v1/voices", "/v2/voices", SHARED_PREFIX],
  shared: { keyHeader: "xi-api-key", paths: ["/v1/models"], prefix: SHARED_PREFIX },
  fieldNames: {
    reference_id: "voice_id",
    format: "output_format",
    language: "language_code",
    "prosody.speed": "voice_settings.speed",
    audio: "file",
    title: "name",
  },
  errorBody: elevenLabsErrorBody,
  register(http, parts) {
    http.register(async (scope) => {
      admit(scope, parts.admission);
      speechRoutes(scope, parts);
    });
    http.register(async (scope) => {
      admit(scope, parts.admission);
      await transcriptRoute(scope, parts);
    });
    voiceRoutes(http, parts);
    modelRoutes(http, SHARED_PREFIX, parts);
  },
};
