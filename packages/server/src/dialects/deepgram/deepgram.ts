import { admit } from "../../http/admission.ts";
import type { Dialect } from "../dialect.ts";
import { listenRoute } from "./listen.ts";

/** The API of Deepgram, as far as it transcribes recordings. */
export const deepgram: Dialect = {
  name: "deepgram",
  paths: ["/v1/listen"],
  fieldNames: { audio: "body" },
  errorBody: ({ code, message, requestId }) => ({
    err_code: code.toUpperCase(),
    err_msg: message,
    request_id: requestId,
  }),
  register(http, parts) {
    http.register(async (scope) => {
      admit(scope, parts.admission);
      listenRoute(scope, parts);
    });
  },
};
