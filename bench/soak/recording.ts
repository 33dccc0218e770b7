import type { Recording } from "./clients.ts";
import type { Target } from "./post.ts";

const words =
  "The harbour was quiet, and the last of the boats had come in before the wind turned to the north. " +
  "Nobody on the quay remembered a colder morning, though the old men said that they did. " +
  "By noon the ice had reached the second bridge, and the children were told to stay away from the edge.";
const sampleRate = 24_000;

/** A recording to transcribe and to clone, spoken by the server itself. */
export async function makeRecording({ url, key }: Target): Promise<Recording> {
  const response = await fetch(`${url}/v1/tts`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, model: "s2-pro", "content-type": "application/json" },
    body: JSON.stringify({ text: words, format: "wav", sample_rate: sampleRate, seed: 1 }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const wav = new Uint8Array(await response.arrayBuffer());
  return { wav, seconds: (wav.length - 44) / 2 / sampleRate };
}
