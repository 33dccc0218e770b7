/** A client that plays the audio while it arrives. */
import { Agent, request } from "node:http";

const sampleRate = 24_000;
const bytesPerMs = (sampleRate * 2) / 1000;
/** Shorter gaps are inaudible, and below the precision of the timers. */
const minGapMs = 1;
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

export type Outcome =
  | {
      readonly is: "spoken";
      readonly firstAudioMs: number;
      readonly audioSeconds: number;
      /** How often a player that starts with the first byte would have stalled. `gapsMs` is the total. */
      readonly gaps: number;
      readonly gapsMs: number;
    }
  | { readonly is: "refused"; readonly retryAfter: number }
  | { readonly is: "failed"; readonly reason: string };

export interface Target {
  readonly url: string;
  readonly key: string;
}

export function requestSpeech({ url, key }: Target, text: string): Promise<Outcome> {
  const body = JSON.stringify({ text, format: "pcm", sample_rate: sampleRate, seed: 1 });
  const headers = { authorization: `Bearer ${key}`, model: "s2-pro", "content-type": "application/json" };
  const start = performance.now();
  return new Promise((resolve) => {
    const failed = (reason: string) => resolve({ is: "failed", reason });
    const outgoing = request(`${url}/v1/tts`, { method: "POST", agent, headers }, (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        const retryAfter = Number(response.headers["retry-after"]);
        if (response.statusCode === 503 && retryAfter >= 1) resolve({ is: "refused", retryAfter });
        else failed(`status ${response.statusCode}`);
        return;
      }
      let firstAudioMs = 0;
      let bytes = 0;
      let gaps = 0;
      let gapsMs = 0;
      response.on("data", (part: Buffer) => {
        const at = performance.now() - start;
        if (bytes === 0) firstAudioMs = at;
        const late = at - (firstAudioMs + gapsMs + bytes / bytesPerMs);
        if (late >= minGapMs) {
          gaps += 1;
          gapsMs += late;
        }
        bytes += part.length;
      });
      response.on("end", () =>
        resolve({ is: "spoken", firstAudioMs, audioSeconds: bytes / bytesPerMs / 1000, gaps, gapsMs }),
      );
      response.on("error", (error) => failed(error.message));
    });
    outgoing.on("error", (error) => failed(error.message));
    outgoing.end(body);
  });
}
