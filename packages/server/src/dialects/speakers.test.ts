import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { encodeMessagePack, LIMITS } from "@parlance/protocol";
import { authorization, form, recording, send, uploads } from "../testing/asr-client.ts";
import { createBurstTranscription } from "../testing/burst-transcription.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

const transcription = createBurstTranscription();
let server: TestServer;
before(async () => {
  server = await startTestServer({ transcription });
});
after(() => server.close());

const post = (path: string, body: FormData | Uint8Array<ArrayBuffer>, type?: string) =>
  fetch(server.url + path, {
    method: "POST",
    headers: { authorization, ...(type === undefined ? {} : { "content-type": type }) },
    body,
  });

function fileForm(fields: Readonly<Record<string, string | readonly string[]>>): FormData {
  const body = new FormData();
  body.append("file", new Blob([recording]), "speech.wav");
  for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) body.append(name, each);
  return body;
}

interface Spoken {
  readonly text: string;
  readonly type: string;
  readonly id: string;
  readonly speaker: string;
  readonly speaker_id: string;
}
interface Body {
  readonly task: string;
  readonly duration: number;
  readonly text: string;
  readonly segments: readonly Spoken[];
  readonly words: readonly Spoken[];
  readonly speakers?: unknown;
}
interface Numbered {
  readonly speaker: number;
}
interface Listened {
  readonly results: {
    readonly channels: readonly { readonly alternatives: readonly { readonly words: readonly Numbered[] }[] }[];
    readonly utterances: readonly (Numbered & { readonly words: readonly Numbered[] })[];
  };
}

const bodyOf = async <T = Body>(response: Promise<Response>): Promise<T> => (await (await response).json()) as T;

const lastRequest = () => transcription.jobs.at(-1)?.request;

describe("speakers in every dialect", () => {
  it("POST /v1/asr, in both encodings", async () => {
    for (const body of [form(recording, { speakers: "2" }), encodeMessagePack({ audio: recording, speakers: 2 })]) {
      const { segments, speakers } = await bodyOf(send(server, body));
      assert.deepEqual(
        segments.map(({ speaker }) => speaker),
        ["A", "B"],
      );
      assert.deepEqual(speakers, [
        { speaker: "A", seconds: 1, embedding: [1, 0] },
        { speaker: "B", seconds: 1, embedding: [1, 0] },
      ]);
      assert.equal(lastRequest()?.speakers?.count, 2);
    }
    const plain = await bodyOf(send(server, form(recording)));
    assert.ok(!("speakers" in plain) && plain.segments.every((segment) => !("speaker" in segment)));
  });

  it("POST /v1/asr refuses a voice that the account does not have", async () => {
    const unknown = await send(server, form(recording, { known_speakers: "0123456789abcdef0123456789abcdef" }));
    assert.equal(unknown.status, 400);
    assert.equal(unknown.headers.get("x-error-code"), "unknown_voice");
    assert.match(await unknown.text(), /known_speakers: .*a cloned voice of the account/);
  });

  it("OpenAI: diarized_json, with names and recordings of people", async () => {
    const audio = `data:audio/wav;base64,${Buffer.from(recording).toString("base64")}`;
    const fields = { response_format: "diarized_json", "known_speaker_names[]": "agent" };
    const body = await bodyOf(
      post("/v1/audio/transcriptions", fileForm({ ...fields, "known_speaker_references[]": audio })),
    );
    assert.deepEqual(
      body.segments.map(({ type, id, speaker, text }) => [type, id, speaker, text]),
      [
        ["transcript.text.segment", "seg_0", "agent", "20"],
        ["transcript.text.segment", "seg_1", "A", "80"],
      ],
    );
    assert.deepEqual([body.task, body.duration, body.text], ["transcribe", 2, "20 80"]);
    assert.deepEqual(await uploads(server), [], "no recording is left behind");
  });

  it("OpenAI: events with the segments of each speaker", async () => {
    const fields = { response_format: "diarized_json", stream: "true" };
    const text = await (await post("/v1/audio/transcriptions", fileForm(fields))).text();
    const events = text
      .split("\n\n")
      .filter((event) => event !== "")
      .map((event) => JSON.parse(event.replace(/^data: /, "")));
    assert.deepEqual(
      events.map(({ type, speaker }) => [type.replace("transcript.text.", ""), speaker]),
      [
        ["delta", undefined],
        ["delta", undefined],
        ["segment", "A"],
        ["segment", "B"],
        ["done", undefined],
      ],
    );
  });

  it("OpenAI: names and recordings have to fit together and are bounded", async () => {
    const audio = "data:audio/wav;base64,AAAA";
    const { count, bytes } = LIMITS.asrReferences;
    const status = async (fields: Readonly<Record<string, string | readonly string[]>>) => {
      const response = await post(
        "/v1/audio/transcriptions",
        fileForm({ response_format: "diarized_json", ...fields }),
      );
      await response.text();
      return response.status;
    };
    assert.equal(await status({ known_speaker_names: "a" }), 400);
    assert.equal(await status({ known_speaker_names: ["a", "a"], known_speaker_references: [audio, audio] }), 400);
    assert.equal(await status({ known_speaker_names: "x".repeat(65), known_speaker_references: audio }), 400);
    const many = Array.from({ length: count + 1 }, (_, index) => `n${index}`);
    assert.equal(await status({ known_speaker_names: many, known_speaker_references: many.map(() => audio) }), 400);
    const large = "x".repeat(bytes + 1);
    assert.equal(await status({ known_speaker_names: "a", known_speaker_references: large }), 413);
    assert.deepEqual(await uploads(server), []);
  });

  it("Deepgram: words and utterances have a number", async () => {
    for (const query of ["diarize=true", "diarize_model=latest"]) {
      const { results } = await bodyOf<Listened>(
        post(`/v1/listen?${query}&utterances=true`, new Uint8Array(recording), "audio/wav"),
      );
      const numbers = (all: readonly Numbered[] = []) => all.map(({ speaker }) => speaker);
      assert.deepEqual(numbers(results.channels[0]?.alternatives[0]?.words), [0, 1]);
      assert.deepEqual(numbers(results.utterances), [0, 1]);
      assert.deepEqual(numbers(results.utterances[1]?.words), [1]);
    }
  });

  it("ElevenLabs: words have a speaker_id", async () => {
    const body = await bodyOf(post("/v1/speech-to-text", fileForm({ diarize: "true", num_speakers: "2" })));
    assert.deepEqual(
      body.words.map(({ type, speaker_id }) => [type, speaker_id]),
      [
        ["word", "speaker_0"],
        ["spacing", "speaker_0"],
        ["word", "speaker_1"],
      ],
    );
    assert.equal(lastRequest()?.speakers?.count, 2);
    for (const num_speakers of ["33", "many"]) {
      assert.equal((await post("/v1/speech-to-text", fileForm({ diarize: "true", num_speakers }))).status, 400);
    }
  });

  it("responds 503 while the model for diarization is missing", async () => {
    const other = await startTestServer({ transcription: createBurstTranscription({ tellsSpeakers: false }) });
    try {
      const response = await send(other, form(recording, { speakers: "true" }));
      assert.equal(response.status, 503);
      assert.match(await response.text(), /speaker diarization/);
      assert.equal((await send(other, form(recording))).status, 200);
    } finally {
      await other.close();
    }
  });
});
