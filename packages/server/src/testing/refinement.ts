import type { TestContext } from "node:test";
import type { Cloning } from "@parlance/speech";
import { createNode, type Node } from "../services/cluster/node.ts";
import { createUploadFolder } from "../services/uploads/upload-folder.ts";
import { toBytes, toNumbers } from "../services/voices/embedding.ts";
import { createNetworkVectors } from "../services/voices/network-vectors.ts";
import { createRefinementJobs, type RefinementJobsParts } from "../services/voices/refinement-jobs.ts";
import type { Store } from "../stores/store.ts";
import { createLog } from "../telemetry/log.ts";
import { databaseFiles } from "./database-files.ts";
import type { NewDatabase } from "./databases.ts";
import { instantCloning } from "./instant-cloning.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { until } from "./until.ts";
import { clonedVoice } from "./voice-record.ts";
import { insertUser } from "./wallet-user.ts";

type Listening = Pick<RefinementJobsParts, "canTranscribe" | "transcribe" | "now">;

/** Resolves when two heartbeats of a node have begun: all work of the first one has ended. */
export async function beats({ onHeartbeat }: Pick<Node, "onHeartbeat">): Promise<void> {
  let count = 0;
  onHeartbeat(async () => void count++);
  await until(() => count >= 2);
}

/** Stored voices, and nodes that work on them in the background. */
export async function setUpRefinement(context: TestContext, newDatabase: NewDatabase) {
  const closing: (() => Promise<void>)[] = [];
  // Before the store is closed: such functions run in the order in which they are given.
  context.after(async () => {
    for (const close of closing) await close();
  });
  const store: Store = await (await newDatabase(context)).open();
  const ownerId = await insertUser(store);
  const uploads = createUploadFolder(await temporaryFolder(context));
  return {
    store,
    /** A voice whose embedding this version of the encoder made. */
    async make(encoder: string | null, { recordings = ["speech"], userId = ownerId } = {}): Promise<string> {
      const voice = clonedVoice({ userId });
      const numbers = (text: string | null, values: Float32Array, number = 0) =>
        ({ number, type: "float32", text, bytes: toBytes(values) }) as const;
      await store.transaction(async (records) => {
        await records.voices.insert(voice);
        await records.voiceBlobs.put(voice.id, "embedding", numbers(encoder, new Float32Array(128).fill(1)));
        for (const [number, speech] of recordings.entries()) {
          const heard = numbers(null, Float32Array.of(4, 120, ...Array(128).fill(0.1)), number);
          await records.voiceBlobs.put(voice.id, "heard", heard);
          const recording = { number, type: "audio/ogg", text: "words", bytes: Buffer.from(speech) };
          await records.voiceBlobs.put(voice.id, "recording", recording);
        }
      });
      return voice.id;
    },
    /** The refinement jobs of another node. */
    async start(work: Partial<Cloning>, share = 0, listening: Partial<Listening> = {}) {
      const node = createNode(store, { heartbeatMs: 50, expiryMs: 60_000 });
      const cloning = { ...instantCloning, ...work };
      const shared = { store, files: databaseFiles(store), cloning, log: createLog("silent"), uploads };
      const jobs = createRefinementJobs({
        ...shared,
        ...{ node, share },
        canTranscribe: () => true,
        transcribe: async () => undefined,
        ...listening,
        networkVectors: createNetworkVectors(shared),
      });
      await node.start();
      closing.push(jobs.close, node.close);
      await jobs.start();
      return { ...jobs, node };
    },
    /** The number of each recording, and the network and first number of its vector. */
    async vectorsOf(id: string) {
      const blobs = await store.voiceBlobs.list(id, "network-vector");
      return blobs.map(({ number, text, bytes }) => [number, text, toNumbers(bytes)[0]]);
    },
    /** The first number of its embedding, and the version of the encoder. */
    async soundOf(id: string) {
      const blob = await store.voiceBlobs.find(id, "embedding");
      return [blob && toNumbers(blob.bytes)[0], blob?.text];
    },
  };
}
