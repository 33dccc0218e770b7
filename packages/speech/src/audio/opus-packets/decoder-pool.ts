import type { ChildProcess } from "node:child_process";
import { AudioError, SpeechError } from "../../errors.ts";
import { forkModule, siblingModule } from "../../lib/child-process.ts";
import type { FromPacketDecoder, ToPacketDecoder } from "./messages.ts";

/** Decodes Opus packets of many streams in one process of its own, which runs while there are streams. */
export interface OpusDecoders {
  open(): OpusDecoding;
  pid(): number | undefined;
  close(): void;
}

/** The packets of one stream. */
export interface OpusDecoding {
  /** Mono samples of 16 bits in 16 kHz, little-endian. */
  decode(packets: readonly Uint8Array[]): Promise<Uint8Array>;
  close(): void;
}

interface Request {
  readonly message: Extract<ToPacketDecoder, { type: "decode" }>;
  readonly resolve: (samples: Uint8Array) => void;
  readonly reject: (error: Error) => void;
  tries: number;
}

/** Packets with which the process ended this often are refused. */
const MAX_TRIES = 2;
/** The process is kept for the next stream. */
const IDLE_MS = 60_000;
const entry = siblingModule("./packet-decoder-main", import.meta.url);

export function createOpusDecoders(): OpusDecoders {
  const requests = new Map<number, Request>();
  const streams = new Set<number>();
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let [nextStream, nextRequest] = [1, 1];
  let isClosed = false;

  function processFor(): ChildProcess {
    if (child) return child;
    const started = forkModule(entry, { stdio: ["ignore", 2, 2, "ipc"], minimalEnvironment: true });
    child = started;
    started.on("message", ({ request, samples }: FromPacketDecoder) => {
      requests.get(request)?.resolve(samples);
      requests.delete(request);
    });
    const onEnd = (): void => {
      if (child !== started) return;
      child = undefined;
      // Any of them may have ended it. The others are decoded in the next process; its decoders need a packet or two to settle.
      for (const [id, request] of [...requests]) {
        if (request.tries < MAX_TRIES && !isClosed) send(request);
        else {
          requests.delete(id);
          request.reject(isClosed ? closed() : new AudioError("undecodable", "the Opus packets cannot be decoded"));
        }
      }
    };
    started.on("exit", onEnd);
    started.on("error", () => {
      if (started.pid === undefined) onEnd();
    });
    return started;
  }

  function send(request: Request): void {
    request.tries++;
    const target = processFor();
    // A process that has just exited is reported by its exit event.
    if (target.connected) target.send(request.message, () => {});
  }

  function end(): void {
    const ending = child;
    child = undefined;
    ending?.kill("SIGKILL");
  }

  return {
    open() {
      if (isClosed) throw closed();
      clearTimeout(idle);
      const stream = nextStream++;
      streams.add(stream);
      return {
        decode: (packets) =>
          new Promise((resolve, reject) => {
            if (isClosed || !streams.has(stream)) return reject(closed());
            const message = { type: "decode", stream, request: nextRequest++, packets } as const;
            const request = { message, resolve, reject, tries: 0 };
            requests.set(message.request, request);
            send(request);
          }),
        close() {
          if (!streams.delete(stream)) return;
          const message: ToPacketDecoder = { type: "close", stream };
          if (child?.connected) child.send(message, () => {});
          if (streams.size === 0) idle = setTimeout(end, IDLE_MS).unref();
        },
      };
    },
    pid: () => child?.pid,
    close() {
      isClosed = true;
      clearTimeout(idle);
      for (const { reject } of requests.values()) reject(closed());
      requests.clear();
      end();
    },
  };
}

function closed(): SpeechError {
  return new SpeechError("closed", "the service is shutting down");
}
