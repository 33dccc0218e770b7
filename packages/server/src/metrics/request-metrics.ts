import { Counter, Histogram, type Registry } from "prom-client";
import type { RequestEnd, RequestFacts } from "../telemetry/request-log.ts";

const FIRST_AUDIO_BUCKETS = [0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1, 2, 5, 10, 30];
const DURATION_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Counts requests when they end. */
export function requestMetrics(registry: Registry): (end: RequestEnd, facts: RequestFacts) => void {
  const registers = [registry];
  const requests = new Counter({
    name: "parlance_requests_total",
    help: "Finished requests, by operation (tts, live, asr, other), dialect and HTTP status; 499: the client disconnected before the response. A round on a live socket is one request.",
    labelNames: ["operation", "dialect", "status"],
    registers,
  });
  const errors = new Counter({
    name: "parlance_errors_total",
    help: "Requests that were refused or failed, by operation, dialect and error code as in the header x-error-code.",
    labelNames: ["operation", "dialect", "code"],
    registers,
  });
  const cut = new Counter({
    name: "parlance_requests_cut_total",
    help: "Requests whose client did not get the whole response.",
    labelNames: ["operation"],
    registers,
  });
  const durations = new Histogram({
    name: "parlance_request_duration_seconds",
    help: "From a request to the end of its response. Streams last as long as the client reads.",
    labelNames: ["operation"],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const firstAudio = new Histogram({
    name: "parlance_time_to_first_audio_seconds",
    help: "From a request, or the first text on a live socket, to the first audio.",
    labelNames: ["operation", "dialect"],
    buckets: FIRST_AUDIO_BUCKETS,
    registers,
  });
  const credits = new Counter({
    name: "parlance_credits_charged_total",
    help: "Credits that were charged.",
    labelNames: ["operation"],
    registers,
  });
  const characters = new Counter({
    name: "parlance_text_characters_total",
    help: "Characters of text to synthesize.",
    labelNames: ["operation"],
    registers,
  });
  return (end, facts) => {
    const operation = facts.operation ?? "other";
    // Left out on routes without a dialect.
    const dialect = facts.dialect === undefined ? {} : { dialect: facts.dialect };
    requests.inc({ operation, ...dialect, status: String(end.status) });
    durations.observe({ operation }, end.ms / 1000);
    if (end.code !== undefined) errors.inc({ operation, ...dialect, code: end.code });
    else if (facts.failed === true) errors.inc({ operation, ...dialect, code: "internal" });
    if (end.cut === true) cut.inc({ operation });
    if (facts.firstAudioMs !== undefined) firstAudio.observe({ operation, ...dialect }, facts.firstAudioMs / 1000);
    if (facts.credits !== undefined) credits.inc({ operation }, facts.credits);
    if (facts.characters !== undefined) characters.inc({ operation }, facts.characters);
  };
}
