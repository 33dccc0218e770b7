import { LIMITS } from "@parlance/protocol";
import type { SpeechPart } from "@parlance/speech";
import type { FastifyInstance } from "fastify";
import { alignedBytes } from "../../http/timestamps.ts";
import { documented } from "../../openapi/route-docs.ts";
import { audioFile } from "../audio-file.ts";
import { type Rendering, type SpeechResponseParts, sendSpeech } from "../speech-response.ts";
import { type CharacterTimes, characterTimes, joinTimes } from "./character-times.ts";
import { SPEECH_DOCS } from "./docs.ts";
import { readSpeechRequest } from "./speech-body.ts";

const JSON_HEADERS = { "content-type": "application/json" };

/** One object, written while the audio is made: the audio in base64, then the times. */
const wholeWithTimes: Rendering = {
  headers: () => JSON_HEADERS,
  async *render(parts) {
    const times = new Map<number, CharacterTimes>();
    let rest = Buffer.alloc(0);
    yield Buffer.from('{"audio_base64":"');
    for await (const part of parts) {
      // A later alignment of a chunk replaces the one before.
      if (part.alignment !== undefined) times.set(part.chunk, characterTimes(part.alignment, part.alignment.offset));
      const bytes = Buffer.concat([rest, part.bytes]);
      // Base64 of a multiple of three bytes has no padding.
      const whole = bytes.length - (bytes.length % 3);
      rest = bytes.subarray(whole);
      if (whole > 0) yield Buffer.from(bytes.toString("base64", 0, whole));
    }
    const alignment = JSON.stringify(toAlignment(joinTimes([...times.values()])));
    yield Buffer.from(`${rest.toString("base64")}","alignment":${alignment},"normalized_alignment":${alignment}}`);
  },
};

/** A line for each piece of audio. The times of a chunk come with its first piece. */
const linesWithTimes: Rendering = {
  headers: () => JSON_HEADERS,
  async *render(parts) {
    let timed = -1;
    for await (const part of alignedBytes(parts)) {
      const isFirst = part.alignment !== undefined && part.chunk > timed;
      if (isFirst) timed = part.chunk;
      const alignment = isFirst ? timesOf(part) : null;
      const audio = Buffer.from(part.bytes).toString("base64");
      yield Buffer.from(`${JSON.stringify({ audio_base64: audio, alignment, normalized_alignment: alignment })}\n`);
    }
  },
};

function timesOf({ alignment }: SpeechPart) {
  return alignment === undefined ? null : toAlignment(characterTimes(alignment, alignment.offset));
}

function toAlignment({ characters, starts, ends }: CharacterTimes) {
  return { characters, character_start_times_seconds: starts, character_end_times_seconds: ends };
}

/** POST /v1/text-to-speech/{voice_id}, whole and streaming, each with and without the times of the characters. */
export function speechRoutes(scope: FastifyInstance, parts: SpeechResponseParts): void {
  const route = (suffix: keyof typeof SPEECH_DOCS, rendering: Rendering): void => {
    const config = { operation: "tts" } as const;
    const options = documented(SPEECH_DOCS[suffix], { bodyLimit: LIMITS.ttsBodyBytes, config });
    scope.post(`/v1/text-to-speech/:voice_id${suffix}`, options, async (request, reply) => {
      request.receiving.end();
      const { voice_id: voice } = request.params as { readonly voice_id: string };
      const ttsRequest = readSpeechRequest(voice, request.query, request.body, parts.synthesis.rules());
      return sendSpeech(request, reply, parts, ttsRequest, rendering);
    });
  };
  route("", audioFile);
  route("/stream", audioFile);
  route("/with-timestamps", wholeWithTimes);
  route("/stream/with-timestamps", linesWithTimes);
}
