import { VOICE_DESIGN_MODEL, voiceDesignBody, voiceDesignResponse } from "@parlance/protocol";
import { ADMISSION_ERRORS, INFERENCE_HEADERS, TRACEPARENT } from "../../../openapi/inference.ts";
import type { RouteDocs } from "../../../openapi/route-docs.ts";

export const VOICE_DESIGN_DOCS: RouteDocs = {
  id: "designVoice",
  summary: "Voices from a description",
  description:
    "Chooses and mixes stock voices by what the description says of sex, age, pitch, accent, pace and mood, and speaks a preview of each. Nothing is stored. The `id` of a candidate can be used as `reference_id`; its audio can be sent to `POST /model` like any recording. The price is that of the spoken texts.",
  headers: [
    {
      name: "model",
      in: "header",
      required: true,
      description: "The model.",
      schema: { type: "string", enum: [VOICE_DESIGN_MODEL], default: VOICE_DESIGN_MODEL },
    },
    TRACEPARENT,
  ],
  body: { name: "VoiceDesignRequest", schema: voiceDesignBody },
  response: voiceDesignResponse,
  responseHeaders: INFERENCE_HEADERS,
  errors: ["unknown_model", "insufficient_balance", "key_credit_limited", ...ADMISSION_ERRORS],
};
