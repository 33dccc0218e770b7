import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createKeys, openStore } from "@parlance/server";
import { createRandom } from "../../bench/load/traffic.ts";
import {
  type Acknowledged,
  type ClientAction,
  chargedActions,
} from "../../packages/server/src/testing/charged-load.ts";
import { createVoice } from "../../packages/server/src/testing/create-voice.ts";
import { startPostgres } from "../../packages/server/src/testing/postgres.ts";
import { assertStored, untilNothingIsOpen } from "../../packages/server/src/testing/stored-charges.ts";
import { insertUser } from "../../packages/server/src/testing/wallet-user.ts";
import { type CuttableHost, LOOPBACK } from "../support/host.ts";
import { startNatsServer } from "../support/nats-server.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";
import { type ClusterProcess, createClusterProcesses } from "./cluster-processes.ts";

export const PARTS = ["worker", "api", "nats", "postgres"] as const;
export type Part = (typeof PARTS)[number];
/** The part is killed, or cut off from all others for a while. */
export interface Fault {
  readonly part: Part;
  readonly how: "killed" | "cut off";
}

/** An own host for each part of the cluster. */
export interface ClusterHosts {
  readonly nats: CuttableHost;
  readonly postgres: CuttableHost;
  readonly nodes: readonly CuttableHost[];
  readonly machines: readonly CuttableHost[];
}

export interface Recovery {
  readonly fault: Fault;
  /** Until every node spoke again. */
  readonly seconds: number;
  /** Of a node or machine that was started again, until then: what the recovery takes on a machine without other work. */
  readonly cpuSeconds: number | undefined;
}

export interface FaultsResult {
  readonly recoveries: readonly Recovery[];
  readonly charges: number;
  readonly keys: number;
  readonly voices: number;
  /** Complete responses whose audio was compared. */
  readonly compared: number;
}

export interface FaultsOptions {
  /** In this order. */
  readonly faults: readonly Fault[];
  /** How long the load runs undisturbed before each fault, in milliseconds, at random up to this. */
  readonly pauseMs?: number;
  /** Between two requests of a client: the load should leave room for the check that every node speaks. */
  readonly restMs?: number;
  /** After this time there are no further faults, and the run fails. */
  readonly limitMs?: number;
  readonly seed?: number;
  /** Runs compiled code, as an installation does. */
  readonly compiled?: boolean;
  /** Left out: all parts run on this machine, and none can be cut off. */
  readonly hosts?: ClusterHosts;
  /** Delays every byte to and from NATS and PostgreSQL, on a proxy with this address. */
  readonly latency?: { readonly delayMs: number; readonly address: string } | undefined;
  /** For how long a part is cut off, in milliseconds. */
  readonly cutMs?: number;
  readonly onRecovery?: (recovery: Recovery) => void;
}

const USERS = 2;
const MACHINES = 3;
const TEXTS = [
  "One sentence.",
  "Two sentences are spoken here. This is the second of them, and it is a little longer than the first.",
  "The quick brown fox jumps over the lazy dog, and then it rests for a while. ".repeat(3).trim(),
];
/** Of one request, on a machine that is busy with other things. */
const REQUEST_MS = 30_000;
const WHOLE_MS = 180_000;

/**
 * Two api nodes, three worker machines, NATS and PostgreSQL, each its own process, under load. Kills one of them after the other
 * with SIGKILL, starts it again as a supervisor does, and waits until every node speaks again. Throws when anything was lost that
 * a client had received: audio, credit, a key or a voice.
 */
export async function runFaults({
  faults,
  pauseMs = 500,
  restMs = 100,
  limitMs = Number.POSITIVE_INFINITY,
  seed = 1,
  compiled = false,
  hosts,
  latency,
  cutMs = 3_000,
  onRecovery,
}: FaultsOptions): Promise<FaultsResult> {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const random = createRandom(seed);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const [nats, postgres] = await Promise.all([
      startNatsServer(hosts?.nats),
      startPostgres({ host: hosts?.postgres ?? LOOPBACK }),
    ]);
    closing.push(nats.kill, postgres.stop);
    const linkTo = async (url: string): Promise<string> => {
      if (!latency) return url;
      const target = new URL(url);
      const link = await startTcpProxy({ host: target.hostname, port: Number(target.port) }, latency.address);
      closing.push(link.close);
      link.setSpeed(latency);
      return url.replace(target.host, `${link.host}:${link.port}`);
    };
    const [natsUrl, databaseUrl] = [await linkTo(nats.url), await linkTo(postgres.url)];
    const data = await mkdtemp(join(tmpdir(), "parlance-faults-"));
    closing.push(() => rm(data, { recursive: true, force: true }));
    const store = await openStore({ data, databaseUrl: postgres.url }, () => {});
    closing.push(store.close);
    const users = await Promise.all(Array.from({ length: USERS }, () => insertUser(store, { plan: "unlimited" })));
    const keys = await Promise.all(users.map(async (id) => (await createKeys(store).create(id, "test")).secret));
    const processes = createClusterProcesses({ compiled });
    closing.push(processes.close);

    const startNode = (index: number): Promise<ClusterProcess> =>
      processes.startNode(
        {
          PARLANCE_PORT: "0",
          PARLANCE_DATA: join(data, `node-${index}`),
          PARLANCE_DATABASE_URL: databaseUrl,
          PARLANCE_NATS_URL: natsUrl,
          PARLANCE_ROLE: "api",
        },
        hosts?.nodes[index],
      );
    const startMachine = (index: number): Promise<ClusterProcess> =>
      processes.startMachines(
        { url: natsUrl, names: [`m${index}`], pool: { workers: 2, cost: 0.02 } },
        hosts?.machines[index],
      );
    const nodes = await Promise.all([startNode(0), startNode(1)]);
    const machines = await Promise.all(Array.from({ length: MACHINES }, (_, index) => startMachine(index)));

    const acknowledged: Acknowledged = { charges: new Map(), keys: new Set() };
    const voices = new Set<string>();
    const expected = new Map<string, Buffer>();
    const wrong: string[] = [];
    let compared = 0;
    const onSpoken = (text: string, audio: Buffer): void => {
      compared++;
      if (expected.get(text)?.equals(audio) === false)
        wrong.push(`${audio.length} bytes for ${text.length} characters`);
    };
    const speak = async (url: string, text: string): Promise<Buffer | undefined> => {
      const response = await fetch(`${url}/v1/tts`, {
        method: "POST",
        headers: { authorization: `Bearer ${keys[0]}`, model: "s2-pro", "content-type": "application/json" },
        body: JSON.stringify({ text, format: "pcm" }),
        signal: AbortSignal.timeout(REQUEST_MS),
      });
      const audio = Buffer.from(await response.arrayBuffer());
      return response.status === 200 ? audio : undefined;
    };
    /** The node answers, has machines and its database, and says all of a text. */
    const isWhole = async ({ url }: ClusterProcess): Promise<boolean> => {
      try {
        if (!(await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(REQUEST_MS) })).ok) return false;
        const [text = ""] = TEXTS;
        const audio = await speak(url, text);
        return audio !== undefined && expected.get(text)?.equals(audio) !== false;
      } catch {
        return false;
      }
    };
    const untilWhole = (): Promise<unknown> =>
      Promise.all(
        nodes.map((node) => until(() => isWhole(node), { what: "the node speaks", timeoutMs: WHOLE_MS, everyMs: 50 })),
      );
    await untilWhole();
    for (const text of TEXTS) expected.set(text, await until(() => speak(nodes[0]?.url ?? "", text)));

    const stop = new AbortController();
    const makeVoice: ClientAction = async (url, key) => {
      const answer = await createVoice(url, key);
      const { _id: id } = (await answer.json()) as { readonly _id?: string };
      if (answer.status === 201 && id !== undefined) voices.add(id);
      await sleep(100);
    };
    const repeat = async (act: ClientAction, key: string): Promise<void> => {
      while (!stop.signal.aborted) {
        // A node that is down, a refusal, or a client that leaves on purpose.
        await act(pick(nodes).url, key).catch(() => {});
        await sleep(restMs);
      }
    };
    const actions = [...chargedActions(acknowledged, { text: () => pick(TEXTS), onSpoken }), makeVoice];
    const load = Promise.all(keys.flatMap((key) => actions.map((act) => repeat(act, key))));

    /** Gives the new process of a node or machine. */
    const kill: Readonly<Record<Part, () => Promise<ClusterProcess | undefined>>> = {
      async worker() {
        const index = Math.floor(random() * machines.length);
        await machines[index]?.kill();
        machines[index] = await startMachine(index);
        return machines[index];
      },
      async api() {
        const index = Math.floor(random() * nodes.length);
        await nodes[index]?.kill();
        nodes[index] = await startNode(index);
        return nodes[index];
      },
      async nats() {
        await nats.kill();
        await nats.start();
        return undefined;
      },
      async postgres() {
        await postgres.crash();
        return undefined;
      },
    };
    /** Resolves when the part can be reached again. */
    const cutOff = async (part: Part): Promise<void> => {
      if (!hosts) throw new Error("the parts of this cluster cannot be cut off");
      const { nats, postgres, nodes: api, machines: worker } = hosts;
      const host = pick({ nats: [nats], postgres: [postgres], api, worker }[part]);
      await host.cut();
      await sleep(cutMs);
      await host.mend();
    };
    const recoveries: Recovery[] = [];
    const limit = performance.now() + limitMs;
    try {
      for (const fault of faults) {
        assert.ok(performance.now() < limit, `only ${recoveries.length} faults in ${limitMs / 1000} s`);
        const before = acknowledged.charges.size;
        await until(() => acknowledged.charges.size > before + 2, { what: "clients are served" });
        await sleep(random() * pauseMs);
        let from = performance.now();
        let started: ClusterProcess | undefined;
        if (fault.how === "killed") started = await kill[fault.part]();
        else {
          await cutOff(fault.part);
          // The time counts from when it can be reached again.
          from = performance.now();
        }
        await untilWhole();
        const seconds = (performance.now() - from) / 1000;
        const recovery = { fault, seconds, cpuSeconds: (await started?.report())?.cpuSeconds };
        recoveries.push(recovery);
        onRecovery?.(recovery);
      }
    } finally {
      stop.abort();
      await load;
    }

    await untilNothingIsOpen(store, users);
    await assertStored(store, users, acknowledged);
    assert.deepEqual(wrong, [], "responses that ended regularly, with other audio than without faults");
    for (const { url } of nodes) {
      for (const id of voices) {
        const { status } = await fetch(`${url}/model/${id}`, { headers: { authorization: `Bearer ${keys[0]}` } });
        const { status: other } = await fetch(`${url}/model/${id}`, {
          headers: { authorization: `Bearer ${keys[1]}` },
        });
        assert.ok(status === 200 || other === 200, `the voice ${id}`);
      }
    }
    return {
      recoveries,
      charges: acknowledged.charges.size,
      keys: acknowledged.keys.size,
      voices: voices.size,
      compared,
    };
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}
