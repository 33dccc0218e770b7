import { FORMAT_RULES } from "@parlance/protocol";
import type { Rendering } from "./speech-response.ts";

/** The response is the audio file itself. */
export const audioFile: Rendering = {
  headers: ({ format }) => ({ "content-type": FORMAT_RULES[format].contentType }),
  async *render(parts) {
    for await (const { bytes } of parts) if (bytes.length > 0) yield bytes;
  },
};
