import { type Channel, createChannel } from "../../lib/channel.ts";
import { createWakeup } from "../../lib/wakeup.ts";
import type { JobReport } from "../job-report.ts";
import { pack, unpack } from "./codec.ts";
import { createFrameReader, createFrameWriter, type Frame } from "./frames.ts";
import type { JobEnd, JobStart } from "./job-messages.ts";
import type { Service } from "./service.ts";
import { toWireError } from "./wire-error.ts";

/** The longest job: a minute of samples for recognition takes 2 MiB. */
const MAX_JOB_BYTES = 16 * 2 ** 20;
/** Inputs of at most `MAX_BODY_BYTES` that may be under way. */
const INPUTS_AHEAD = 8;

/** A job that an api node has given to this machine. */
export interface MachineJob {
  readonly node: string;
  /** Undefined until its start has arrived. */
  readonly kind: string | undefined;
  /** Whether it runs without any output yet. */
  readonly isStarting: boolean;
  receive(frame: Frame): void;
  /** Ends it without a message. */
  abort(): void;
}

export interface MachineJobOptions {
  readonly id: number;
  readonly node: string;
  readonly send: (bytes: Uint8Array) => void;
  /** The service that takes the job; undefined: busy. */
  readonly accept: (start: JobStart) => Service | undefined;
  readonly onEnd: () => void;
}

export function createMachineJob({ id, node, send, accept, onEnd }: MachineJobOptions): MachineJob {
  const reader = createFrameReader(MAX_JOB_BYTES);
  const writer = createFrameWriter(id, send);
  const abort = new AbortController();
  const credited = createWakeup();
  let credit = 0;
  let kind: string | undefined;
  let isStarting = false;
  let input: Channel<Uint8Array> | undefined;

  function end(): void {
    abort.abort(new Error("the job has ended"));
    input?.fail(new Error("the job has ended"));
    onEnd();
  }

  async function run(service: Service, start: JobStart): Promise<void> {
    let report: JobReport | undefined;
    const onReport = (given: JobReport): void => {
      report = given;
    };
    isStarting = true;
    try {
      for await (const part of service.run(start.job, abort.signal, onReport, input ?? noInput())) {
        while (credit === 0 && !abort.signal.aborted) await credited.wait(abort.signal);
        if (abort.signal.aborted) return;
        credit--;
        isStarting = false;
        writer.write("part", pack(part));
      }
      const body: JobEnd = { work: report?.work, busyMs: report?.busyMs ?? 0, pid: report?.pid };
      writer.write("end", pack(body));
    } catch (error) {
      if (!abort.signal.aborted) writer.write("error", pack(toWireError(error)));
    } finally {
      isStarting = false;
      end();
    }
  }

  function begin(body: Uint8Array): void {
    const start = parseStart(body);
    if (!start) {
      end();
      return;
    }
    const service = accept(start);
    if (!service) {
      writer.write("busy");
      end();
      return;
    }
    kind = start.kind;
    credit += start.credit;
    if (start.hasInput) {
      input = createChannel(
        () => writer.write("want", pack(1)),
        () => {},
      );
      writer.write("want", pack(INPUTS_AHEAD));
    }
    void run(service, start);
  }

  return {
    node,
    get kind() {
      return kind;
    },
    get isStarting() {
      return isStarting;
    },
    receive(frame) {
      const body = reader.read(frame);
      if (body === undefined) return;
      if (body === "gap" || frame.type === "cancel") end();
      else if (frame.type === "start") begin(body);
      else if (frame.type === "credit") {
        credit++;
        credited.notify();
      } else if (frame.type === "input") {
        if (body.length === 0) input?.end();
        else input?.push(body.slice());
      }
    },
    abort: end,
  };
}

function parseStart(body: Uint8Array): JobStart | undefined {
  try {
    const start = unpack(body);
    return typeof start === "object" && start !== null && "kind" in start ? (start as JobStart) : undefined;
  } catch {
    return undefined;
  }
}

async function* noInput(): AsyncGenerator<Uint8Array> {}
