import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { pack, unpack } from "./codec.ts";
import { understands, WIRE_VERSION } from "./frames.ts";
import type { Transport } from "./transport.ts";

/** Questions between api nodes, such as for a trace that only one of them has. */
export interface Questions {
  /** What the other nodes answer within a short time. Empty without a connection. */
  ask(topic: string, question: unknown): Promise<readonly unknown[]>;
  /** Answers the questions of other nodes; undefined: no answer. */
  answer(topic: string, answer: (question: unknown) => unknown): void;
}

/** Nodes are in one network: later answers do not come. */
const WAIT_MS = 200;
const MAX_ANSWERS = 64;
/** Below the usual limit of a message, 1 MiB. A longer answer is not sent. */
const MAX_ANSWER_BYTES = 900 * 1024;

export function createQuestions(transport: Transport): Questions {
  const own = randomBytes(8).toString("hex");
  const subjectOf = (topic: string): string => `parlance.question.${topic}`;
  return {
    async ask(topic, question) {
      if (!transport.connected) return [];
      const answers: unknown[] = [];
      const inbox = `parlance.answer.${randomBytes(8).toString("hex")}`;
      const leave = transport.subscribe(inbox, (payload) => {
        const answer = read(payload);
        if (answer && answers.length < MAX_ANSWERS) answers.push(answer.body);
      });
      transport.publish(subjectOf(topic), pack({ version: WIRE_VERSION, from: own, body: question }), inbox);
      await sleep(WAIT_MS);
      leave();
      return answers;
    },
    answer(topic, answer) {
      transport.subscribe(subjectOf(topic), (payload, reply) => {
        const question = read(payload);
        if (!question || reply === undefined || question.from === own) return;
        const body = answer(question.body);
        if (body === undefined) return;
        const bytes = pack({ version: WIRE_VERSION, from: own, body });
        if (bytes.length <= MAX_ANSWER_BYTES) transport.publish(reply, bytes);
      });
    },
  };
}

/** Undefined for bytes that are no message of a version that is understood. */
function read(payload: Uint8Array): { readonly from: unknown; readonly body: unknown } | undefined {
  try {
    const message = unpack(payload);
    if (typeof message !== "object" || message === null || !("version" in message) || !("body" in message))
      return undefined;
    if (typeof message.version !== "number" || !understands(message.version)) return undefined;
    return { from: "from" in message ? message.from : undefined, body: message.body };
  } catch {
    return undefined;
  }
}
