import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { initializeLogger, llm } from "@livekit/agents";
import { realtime } from "@livekit/agents-plugin-openai";
import { AudioFrame } from "@livekit/rtc-node";
import {
  type ScriptedModel,
  type ScriptStep,
  startScriptedModel,
} from "../../packages/server/src/testing/scripted-model.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../packages/server/src/testing/test-server.ts";
import { createToneSpeech } from "../../packages/server/src/testing/tone-speech.ts";
import { burstSamples } from "../../packages/server/src/testing/wav-file.ts";

const RATE = 24_000;
const samples = burstSamples(4, [{ start: 0.5, end: 1.2, level: 40 }], RATE);
const frames = Array.from(
  { length: samples.length / 2400 },
  (_, index) => new AudioFrame(samples.slice(index * 2400, (index + 1) * 2400), RATE, 1, 2400),
);

/** The published plugin, unchanged, with tones for speech and a language model whose answers are written in advance. */
describe("the LiveKit agents plugin for OpenAI, in a conversation", () => {
  let answer: (number: number) => readonly ScriptStep[] = () => [];
  let model: ScriptedModel;
  let server: TestServer;
  let session: llm.RealtimeSession;
  let agent: realtime.RealtimeModel;
  before(async () => {
    initializeLogger({ pretty: false, level: "silent" });
    model = await startScriptedModel((_, number) => answer(number));
    server = await startTestServer({
      speech: createToneSpeech({ samplesPerPart: RATE / 2 }),
      config: { llmUrl: model.url, concurrency: 1 },
    });
    agent = new realtime.RealtimeModel({ apiKey: TEST_KEY, baseURL: `${server.url}/v1`, voice: "alloy" });
    session = agent.session();
  });
  after(async () => {
    await session.close();
    await agent.close();
    await server.close();
    await model.close();
  });

  const next = <Data>(event: string): Promise<Data> =>
    new Promise((resolve) => session.once(event as "generation_created", (data) => resolve(data as Data)));

  async function read(generation: llm.GenerationCreatedEvent) {
    const calls: llm.FunctionCall[] = [];
    const answer = { id: "", text: "", seconds: 0 };
    const readCalls = async () => {
      for await (const call of generation.functionStream) calls.push(call);
    };
    const readMessages = async () => {
      for await (const message of generation.messageStream) {
        answer.id = message.messageId;
        const readText = async () => {
          for await (const text of message.textStream) answer.text += text.toString();
        };
        const readAudio = async () => {
          for await (const frame of message.audioStream) answer.seconds += frame.samplesPerChannel / frame.sampleRate;
        };
        await Promise.all([readText(), readAudio()]);
      }
    };
    await Promise.all([readCalls(), readMessages()]);
    return { ...answer, calls };
  }

  it("gets a transcript, an answer and the model's function calls", { timeout: 60_000 }, async () => {
    answer = (number) =>
      number === 0
        ? [{ text: "Let me see. " }, { call: "weather", id: "call_1", arguments: '{"city":"Rome"}' }]
        : [{ text: "It is sunny. Anything else?" }];
    await session.updateInstructions("Be kind.");
    const transcript = next<{ transcript: string; isFinal: boolean }>("input_audio_transcription_completed");
    const generation = next<llm.GenerationCreatedEvent>("generation_created");
    for (const frame of frames) session.pushAudio(frame);
    assert.match((await transcript).transcript, /^\d\d$/);
    const first = await read(await generation);
    assert.equal(first.text, "Let me see. ");
    assert.equal(first.seconds, 0.5);
    assert.deepEqual(
      first.calls.map(({ name, args, callId }) => [name, args, callId]),
      [["weather", '{"city":"Rome"}', "call_1"]],
    );

    const context = session.chatCtx.copy();
    context.insert(
      llm.FunctionCallOutput.create({ callId: "call_1", name: "weather", output: "sunny", isError: false }),
    );
    await session.updateChatCtx(context);
    const second = await read(await session.generateReply());
    assert.equal(second.text, "It is sunny. Anything else?");
    const sent = model.requests[1]?.body.messages ?? [];
    assert.deepEqual(
      sent.map(({ role }) => role),
      ["system", "user", "assistant", "assistant", "tool"],
    );

    // Half of the first sentence was played.
    await session.truncate({ messageId: second.id, audioEndMs: 300, modalities: ["audio"] });
    await read(await session.generateReply());
    const played = model.requests[2]?.body.messages.findLast(({ role }) => role === "assistant");
    assert.equal(played?.content, "It is");
  });
});
