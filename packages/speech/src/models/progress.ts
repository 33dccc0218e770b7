import type { PullEvent } from "./pull-event.ts";

/** The part of `process.stderr` that is used. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressReporter {
  readonly onProgress: (event: PullEvent) => void;
  /** Leaves the cursor on a new line, also after an interruption. */
  close(): void;
}

const redrawMs = 100;
const speedWindowMs = 5000;

/**
 * Shows the progress of a pull: a bar in a terminal; elsewhere lines at the start, at each tenth and at the end.
 *
 * @example
 * ```ts
 * import { createModelStore, createProgressReporter, defaultModelsDirectory } from "@parlance/speech";
 *
 * const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
 * const progress = createProgressReporter(process.stderr, process.env);
 * await models.pull(["default"], { onProgress: progress.onProgress });
 * progress.close();
 * ```
 */
export function createProgressReporter(
  stream: ProgressStream,
  environment: NodeJS.ProcessEnv,
  now: () => number = () => performance.now(),
): ProgressReporter {
  return stream.isTTY && environment.TERM !== "dumb"
    ? terminalReporter(stream, !environment.NO_COLOR, now)
    : plainReporter(stream);
}

function plainReporter(stream: ProgressStream): ProgressReporter {
  let model = "";
  let tenth = 0;
  let waiting = "";
  const onProgress = (event: PullEvent): void => {
    if (event.step === "waiting" && waiting !== event.model) {
      waiting = event.model;
      stream.write(`${event.model}: waiting for another process that is downloading it\n`);
    }
    if (event.step === "installed") stream.write(`${event.model}: installed\n`);
    if (event.step !== "downloading") return;
    if (event.model !== model) {
      model = event.model;
      tenth = Math.floor(share(event) * 10);
      stream.write(`${model}: downloading ${formatBytes(event.total)}\n`);
    }
    const reached = Math.floor(share(event) * 10);
    if (reached <= tenth) return;
    tenth = reached;
    stream.write(`${model}: ${reached * 10} % (${formatBytes(event.received)})\n`);
  };
  return { onProgress, close: () => {} };
}

function terminalReporter(stream: ProgressStream, color: boolean, now: () => number): ProgressReporter {
  let model = "";
  let drawn = false;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let samples: { at: number; received: number }[] = [];

  const draw = (line: string): void => {
    // A line that wraps could not be overwritten.
    stream.write(`\r\u001b[K${line.slice(0, Math.max(20, (stream.columns || 80) - 1))}`);
    drawn = true;
    drawnAt = now();
  };

  const onProgress = (event: PullEvent): void => {
    if (event.model !== model) {
      model = event.model;
      samples = [];
      drawnAt = Number.NEGATIVE_INFINITY;
    }
    if (event.step === "installed") {
      const tick = color ? "\u001b[32m✓\u001b[39m" : "✓";
      stream.write(`\r\u001b[K${tick} ${event.model} ${formatBytes(event.total)}\n`);
      drawn = false;
    } else if (event.step === "waiting") {
      draw(`${event.model}  waiting for another process that is downloading it`);
    } else if (event.step === "checking") {
      draw(`${event.model}  unpacking and checking`);
    } else if (event.step === "downloading") {
      samples.push({ at: now(), received: event.received });
      samples = samples.filter(({ at }) => now() - at <= speedWindowMs);
      if (now() - drawnAt >= redrawMs) draw(barLine(event, speed(samples)));
    }
  };

  const close = (): void => {
    if (drawn) stream.write("\n");
    drawn = false;
  };
  return { onProgress, close };
}

function speed(samples: readonly { at: number; received: number }[]): number {
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last || last.at <= first.at) return 0;
  return Math.max(0, ((last.received - first.received) / (last.at - first.at)) * 1000);
}

const barWidth = 20;

/** "model-id  ████████░░░░░░░░░░░░  40 %  35.6 / 89.0 MB  12.1 MB/s  4 s left" */
function barLine(event: PullEvent, bytesPerSecond: number): string {
  const filled = Math.round(share(event) * barWidth);
  const bar = "█".repeat(filled) + "░".repeat(barWidth - filled);
  const percent = `${Math.floor(share(event) * 100)} %`.padStart(5);
  const size = `${(event.received / 1e6).toFixed(1)} / ${formatBytes(event.total)}`;
  const parts = [event.model, bar, percent, size];
  if (bytesPerSecond > 0) {
    parts.push(`${formatBytes(bytesPerSecond)}/s`);
    parts.push(`${formatSeconds((event.total - event.received) / bytesPerSecond)} left`);
  }
  return parts.join("  ");
}

function share({ received, total }: PullEvent): number {
  return total > 0 ? Math.min(1, received / total) : 0;
}

export function formatBytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 90 ? `${whole} s` : `${Math.ceil(whole / 60)} min`;
}
