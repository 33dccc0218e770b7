import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { natsMissing } from "../../../../tests/support/nats-server.ts";
import { createDecoder } from "../audio/decode/index.ts";
import { createMachine } from "../pool/remote/machine.ts";
import { createNatsTransport } from "../pool/remote/nats-transport.ts";
import { createRemoteDecoder, DECODE_KIND } from "../pool/remote/remote-decoder.ts";
import { useCluster } from "../testing/counting-machine.ts";
import { muxAudio } from "../testing/mux-audio.ts";
import { noise } from "../testing/signals.ts";
import { wavFile } from "../testing/wav-file.ts";
import { decodeService } from "./services.ts";

describe("recordings that worker machines decode", { skip: natsMissing }, () => {
  const { nats, join: joinCluster } = useCluster();

  it("are decoded in the turns of their owners", { timeout: 120_000 }, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "parlance-remote-decoder-"));
    t.after(() => rm(folder, { recursive: true }));
    const [short, long] = [join(folder, "short"), join(folder, "long")];
    await writeFile(short, wavFile([noise(16_000, 0.3)], { sampleRate: 16_000 }));
    muxAudio(long, "flac", { sampleRate: 8_000, encoder: "flac", channels: [new Float32Array(900 * 8_000)] });

    const own = createDecoder();
    t.after(() => own.close());
    const services = new Map([[DECODE_KIND, decodeService(own, folder)]]);
    const machine = createMachine(createNatsTransport(nats().url), { name: "decodes", services: () => services });
    t.after(() => machine.close());
    const decoder = createRemoteDecoder(await joinCluster(t, "decodes"));

    const leaving = new AbortController();
    let decoded = 0;
    const slow = Array.from({ length: 8 }, async (_, i) => {
      await decoder.decode(long, join(folder, `slow-${i}`), { owner: "ada", sampleRate: 16_000 }, leaving.signal);
      decoded++;
    });
    const ended = Promise.allSettled(slow);
    const target = join(folder, "target");
    assert.equal((await decoder.decode(short, target, { owner: "bob", sampleRate: 16_000 }, t.signal)).seconds, 1);
    assert.ok(decoded <= 2, `${decoded} slow recordings were decoded first`);
    leaving.abort(new Error("gone"));
    await ended;
  });
});
