import type { Cluster } from "@parlance/speech";
import { readTraceAnswer, readTraceQuestion, type TraceQuestion } from "./cluster-trace-messages.ts";
import type { RequestData } from "./trace-records.ts";
import type { TraceFilter, TraceStore } from "./trace-store.ts";

/** The traces that all nodes of a cluster have in memory, or those of this node where there is no cluster. */
export interface ClusterTraces {
  readonly capacity: number;
  /** Newest first. */
  list(filter: TraceFilter, limit: number): Promise<readonly RequestData[]>;
  /** Oldest first. */
  find(traceId: string, userId: string | undefined): Promise<readonly RequestData[]>;
}

const TOPIC = "traces";
/** More are never requested. */
const MAX_LISTED = 200;

export function createClusterTraces(own: TraceStore, cluster: Pick<Cluster, "questions"> | undefined): ClusterTraces {
  const answer = (question: TraceQuestion): readonly RequestData[] =>
    question.type === "list"
      ? own.list(question.filter, Math.min(MAX_LISTED, question.limit))
      : own.find(question.traceId, question.userId);
  cluster?.questions.answer(TOPIC, (given) => {
    const question = readTraceQuestion(given);
    if (question === undefined) return undefined;
    // In a list only the requests are shown, not their spans.
    const found = answer(question).map((request) => (question.type === "list" ? { ...request, spans: [] } : request));
    return found.length > 0 ? found : undefined;
  });

  async function ask(question: TraceQuestion): Promise<RequestData[]> {
    const others = cluster ? await cluster.questions.ask(TOPIC, question) : [];
    const userId = question.type === "list" ? question.filter.userId : question.userId;
    const theirs = others
      .flatMap((found) => readTraceAnswer(found, MAX_LISTED))
      // Whatever a node answers, no account sees the requests of another.
      .filter((request) => userId === undefined || request.userId === userId);
    return [...answer(question), ...theirs];
  }

  return {
    capacity: own.capacity,
    async list(filter, limit) {
      const all = await ask({ type: "list", filter, limit });
      return (cluster ? all.sort((a, b) => b.to - a.to) : all).slice(0, limit);
    },
    async find(traceId, userId) {
      const all = await ask({ type: "find", traceId, userId });
      return cluster ? all.sort((a, b) => a.from - b.from) : all;
    },
  };
}
