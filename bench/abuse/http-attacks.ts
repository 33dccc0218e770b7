import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createVoice } from "../../packages/server/src/testing/create-voice.ts";
import { pngFile } from "../../packages/speech/src/testing/png-file.ts";
import { type Attack, collectResults, type Target } from "./attack.ts";
import {
  HOSTILE_QUERIES,
  type HostileBody,
  JSON_BODIES,
  MESSAGE_PACK_BODIES,
  MULTIPART_BODIES,
  TEXT_BODIES,
  URL_ENCODED_BODIES,
} from "./hostile-bodies.ts";

/** The routes that read a body, by what they read. */
interface BodyRoute {
  readonly method: string;
  readonly path: string;
  /** The largest body of each kind that the route reads. */
  readonly maxBytes: number;
  readonly bodies: readonly HostileBody[];
}

const KIB = 1024;
const MIB = KIB * KIB;
const VOICE = `/model/${"0".repeat(32)}`;
const SMALL_JSON = 64 * KIB - 256;

const ROUTES: readonly BodyRoute[] = [
  { method: "POST", path: "/v1/tts", maxBytes: 8 * MIB, bodies: [...JSON_BODIES, ...MESSAGE_PACK_BODIES] },
  {
    method: "POST",
    path: "/v1/tts/stream/with-timestamp",
    maxBytes: MIB,
    bodies: [...JSON_BODIES, ...MESSAGE_PACK_BODIES],
  },
  { method: "POST", path: "/v1/tts", maxBytes: MIB, bodies: TEXT_BODIES },
  { method: "POST", path: "/v1/asr", maxBytes: 8 * MIB, bodies: [...MULTIPART_BODIES, ...MESSAGE_PACK_BODIES] },
  { method: "POST", path: "/model", maxBytes: 8 * MIB, bodies: [...MULTIPART_BODIES, ...MESSAGE_PACK_BODIES] },
  {
    method: "PATCH",
    path: VOICE,
    maxBytes: SMALL_JSON,
    bodies: [...JSON_BODIES, ...URL_ENCODED_BODIES, ...MULTIPART_BODIES, ...MESSAGE_PACK_BODIES],
  },
  ...["/account/keys", "/account/sign-in", "/account/sign-in-link", "/account/password", "/v1/voice-design"].map(
    (path) => ({
      method: "POST",
      path,
      maxBytes: SMALL_JSON,
      bodies: JSON_BODIES,
    }),
  ),
];

const agent = new Agent({ keepAlive: false });
/** Requests of one attack at a time. */
const AT_ONCE = 4;

/** `rounds` times four requests with each hostile body on each route. */
export function bodyAttacks(rounds: number): readonly Attack[] {
  return ROUTES.flatMap(({ method, path, maxBytes, bodies }) =>
    bodies.map(({ name, type, make }) => ({
      name: `${method} ${shorten(path)} ${name}`,
      async run(target: Target, signal: AbortSignal) {
        const body = make(maxBytes);
        const headers = { "content-type": type, model: "s2-pro" };
        return collectResults(await repeated(rounds, () => send(target, method, path, headers, body, signal)));
      },
    })),
  );
}

export function queryAttacks(rounds: number): readonly Attack[] {
  return ["/model", "/account/usage", "/traces"].flatMap((path) =>
    HOSTILE_QUERIES.map(({ name, query }) => ({
      name: `GET ${path}? ${name}`,
      run: async (target: Target, signal: AbortSignal) =>
        collectResults(
          await repeated(rounds * 4, () => send(target, "GET", `${path}?${query}`, {}, undefined, signal)),
        ),
    })),
  );
}

export function headerAttacks(rounds: number): readonly Attack[] {
  const headers: Readonly<Record<string, string>> = {
    tracestate: Array.from({ length: 1000 }, (_, n) => `k${n}=v`).join(","),
    cookie: "parlance_session=a; ".repeat(700),
    "x-forwarded-for": "10.0.0.1, ".repeat(1400),
    "accept-language": "en;q=0.1, ".repeat(1400),
    "access-control-request-headers": "a,".repeat(7000),
  };
  return Object.entries(headers).map(([name, value]) => ({
    name: `header ${name}`,
    run: async (target: Target, signal: AbortSignal) =>
      collectResults(
        await repeated(rounds * 4, () => send(target, "GET", "/model", { [name]: value }, undefined, signal)),
      ),
  }));
}

/** Pictures that are small to send and large to decode, all at once. */
export function pictureAttack(atOnce: number, side: number): Attack {
  return {
    name: `PATCH /model/{id} ${atOnce} pictures of ${side} × ${side} at once`,
    async run(target, signal) {
      const voice = await newVoiceId(target);
      const picture = pngFile(side, side);
      const requests = Array.from({ length: atOnce }, () => {
        const form = new FormData();
        form.append("cover_image", new Blob([new Uint8Array(picture)]), "cover.png");
        return fetch(`${target.url}/model/${voice}`, {
          method: "PATCH",
          headers: { authorization: `Bearer ${target.key}` },
          body: form,
          signal,
        }).then(async (response) => ({ status: response.status, bytes: (await response.arrayBuffer()).byteLength }));
      });
      return collectResults(await Promise.all(requests.map((each) => each.catch(() => ({ status: 0, bytes: 0 })))));
    },
  };
}

/** A voice of the attacker: pictures for voices of others are refused before they are decoded. */
async function newVoiceId({ url, key }: Target): Promise<string> {
  const response = await createVoice(url, key);
  if (response.status !== 201) throw new Error(`a voice was not made: ${await response.text()}`);
  const { _id: id } = (await response.json()) as { readonly _id: string };
  return id;
}

/** Connections of several addresses of this machine that send nothing. */
export function idleConnections(count: number): Attack {
  const PER_ADDRESS = 500;
  return {
    name: `${count} connections that send nothing`,
    async run({ url }, signal) {
      const port = Number(new URL(url).port);
      const sockets = Array.from({ length: count }, (_, index) => {
        const localAddress = `127.0.0.${2 + Math.floor(index / PER_ADDRESS)}`;
        return connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
      });
      await sleep(3000, undefined, { signal }).catch(() => {});
      const held = sockets.filter((socket) => socket.readyState === "open").length;
      for (const socket of sockets) socket.destroy();
      return { statuses: { held, refused: count - held }, largestResponseBytes: 0 };
    },
  };
}

/** Connections that send the head and part of the body of a request, and then nothing. */
export function unfinishedBodies(count: number, bytes: number): Attack {
  return {
    name: `${count} bodies of 16 MiB, ${Math.round(bytes / KIB)} KiB sent of each`,
    async run({ url, key }, signal) {
      const { port } = new URL(url);
      const sockets = Array.from({ length: count }, () => {
        const socket = connect(Number(port), "127.0.0.1");
        socket.on("error", () => {});
        socket.write(
          `POST /v1/tts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nmodel: s2-pro\r\nContent-Type: application/json\r\nContent-Length: ${16 * MIB}\r\n\r\n`,
        );
        socket.write(Buffer.alloc(bytes, 0x20));
        return socket;
      });
      await sleep(2000, undefined, { signal }).catch(() => {});
      for (const socket of sockets) socket.destroy();
      return { statuses: { held: count }, largestResponseBytes: 0 };
    },
  };
}

async function repeated<Result>(rounds: number, once: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let round = 0; round < rounds; round += 1) {
    results.push(...(await Promise.all(Array.from({ length: AT_ONCE }, once))));
  }
  return results;
}

/** By `node:http`, because `fetch` refuses some of what an attacker may send. A connection that breaks has status 0. */
export function send(
  { url, key }: Target,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer | undefined,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly bytes: number }> {
  return new Promise((resolve) => {
    const failed = (): void => resolve({ status: 0, bytes: 0 });
    const request = httpRequest(
      `${url}${path}`,
      {
        method,
        agent,
        signal,
        headers: { authorization: `Bearer ${key}`, ...headers, "content-length": body?.length ?? 0 },
      },
      (response) => {
        let bytes = 0;
        response.on("data", (data: Buffer) => {
          bytes += data.length;
          // Speech is endless on purpose; what matters is that it began.
          if (bytes > 4 * MIB) response.destroy();
        });
        response.on("error", () => {});
        response.on("close", () => resolve({ status: response.statusCode ?? 0, bytes }));
      },
    );
    request.on("error", failed);
    request.end(body);
  });
}

const shorten = (path: string): string => path.replace("0".repeat(32), "{id}");
