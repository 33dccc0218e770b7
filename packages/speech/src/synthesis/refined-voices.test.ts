import assert from "node:assert/strict";
import { it } from "node:test";
import { natsMissing, startNatsServer } from "../../../../tests/support/nats-server.ts";
import { until } from "../../../../tests/support/until.ts";
import { createModelStore } from "../catalog/manifest.ts";
import { DECODER_OFFSETS } from "../engines/kokoro/student/offsets.ts";
import { cloningEngine } from "../engines/registry.ts";
import type { SpeechJob } from "../pool/messages.ts";
import { createCluster } from "../pool/remote/cluster.ts";
import { KOKORO_CLONES } from "../pool/remote/frames.ts";
import { createMachine } from "../pool/remote/machine.ts";
import { createNatsTransport } from "../pool/remote/nats-transport.ts";
import { speechKind } from "../pool/remote/remote-pool.ts";
import type { Service } from "../pool/remote/service.ts";
import { ofVersion } from "../testing/of-version.ts";
import { noise } from "../testing/signals.ts";
import { createSpeech } from "./create-speech.ts";
import { defaultRequest } from "./default-request.ts";

const RATE = 24_000;

it("sends the decoder offsets of a voice, which a machine of an earlier version ignores", {
  skip: natsMissing,
  timeout: 30_000,
}, async (context) => {
  const nats = await startNatsServer();
  context.after(() => nats.kill());
  const kind = speechKind(cloningEngine.name);
  const jobs: SpeechJob[] = [];
  const service: Service = {
    ...{ workers: 1, cost: 1, about: { sampleRate: RATE }, maxStarting: 4, maxRunning: 4 },
    async *run(job) {
      jobs.push(job as SpeechJob);
      yield { samples: noise(RATE, 0.1) };
    },
  };
  const machine = createMachine(ofVersion(createNatsTransport(nats.url), KOKORO_CLONES), {
    name: "older",
    services: () => new Map([[kind, service]]),
  });
  context.after(() => machine.close());
  const cluster = createCluster(createNatsTransport(nats.url));
  context.after(() => cluster.close());
  await until(() => cluster.workers(kind) > 0, { what: "the machine has joined" });
  const speech = await createSpeech({ models: createModelStore({ directory: "/nonexistent" }), cluster });
  context.after(() => speech.close());

  const custom = {
    embedding: noise(128, 0.2),
    prosody: "am_michael",
    pace: 1.1,
    decoderOffsets: noise(DECODER_OFFSETS, 0.1),
  };
  const voice = { id: "refined", engine: cloningEngine.name, custom };
  const output = { format: "pcm", sampleRate: RATE, mp3Bitrate: 128, opusBitrate: "auto" } as const;
  let bytes = 0;
  const signal = AbortSignal.timeout(20_000);
  for await (const part of speech.speak(defaultRequest("Hello.", voice, { output }), signal))
    bytes += part.bytes.length;
  assert.ok(bytes > 0);
  assert.deepEqual(
    jobs.map((job) => job.voice),
    [{ language: "en-us", ...custom }],
  );
});
