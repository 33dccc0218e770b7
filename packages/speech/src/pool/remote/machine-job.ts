import { type Channel, createChannel } from "../../lib/channel.ts";
import { createWakeup } from "../../lib/wakeup.ts";
import type { JobReport } from "../job-report.ts";
import { pack } from "./codec.ts";
import { createFrameReader, createFrameWriter, type Frame, type ReadBudget } from "./frames.ts";
import { type JobEnd, type JobStart, MAX_CREDIT, readStart } from "./job-messages.ts";
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
  /** Shared by all jobs of the machine. */
  readonly budget: ReadBudget;
  readonly onEnd: () => void;
}

export function createMachineJob({ id, node, send, accept, budget, onEnd }: MachineJobOptions): MachineJob {
  const reader = createFrameReader(MAX_JOB_BYTES, budget);
  const writer = createFrameWriter(id, send);
  const abort = new AbortController();
  const credited = createWakeup();
  let credit = 0;
  let kind: string | undefined;
  let isStarting = false;
  let input: Channel<Uint8Array> | undefined;
  /** Inputs that were asked for and have not come. */
  let wanted = 0;
  let hasBegun = false;
  const want = (inputs: number): void => {
    wanted += inputs;
    writer.write("want", pack(inputs));
  };

  function end(): void {
    reader.close();
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
    const start = readStart(body);
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
        () => want(1),
        () => {},
      );
      want(INPUTS_AHEAD);
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
      else if (frame.type === "start") {
        if (hasBegun) end();
        else begin(body);
        hasBegun = true;
      } else if (frame.type === "credit") {
        credit = Math.min(MAX_CREDIT, credit + 1);
        credited.notify();
      } else if (frame.type === "input") {
        if (body.length === 0) input?.end();
        // More than was asked for would fill the memory.
        else if (--wanted < 0) end();
        else input?.push(body.slice());
      }
    },
    abort: end,
  };
}

async function* noInput(): AsyncGenerator<Uint8Array> {}
