import type { Progress } from "@parlance/client";
import type { ProgressStream } from "@parlance/speech";

export interface TranscribeProgress {
  readonly onProgress: (progress: Progress) => void;
  /** Shows a step without measurable progress. */
  note(text: string): void;
  /** Removes the bar. */
  clear(): void;
}

const BAR_WIDTH = 20;

/** A progress bar in a terminal; nothing elsewhere. */
export function createTranscribeProgress(
  stream: ProgressStream,
  environment: NodeJS.ProcessEnv,
  name: string,
  now: () => number = () => performance.now(),
): TranscribeProgress {
  const started = now();
  let drawn = false;
  const draw = (line: string): void => {
    if (!stream.isTTY || environment.TERM === "dumb") return;
    // A line that wraps cannot be overwritten.
    stream.write(`\r\u001b[K${line.slice(0, Math.max(20, (stream.columns || 80) - 1))}`);
    drawn = true;
  };
  return {
    note: (text) => draw(`${name}  ${text}`),
    onProgress: (progress) => draw(barLine(name, progress, (now() - started) / 1000)),
    clear() {
      if (drawn) stream.write("\r\u001b[K");
      drawn = false;
    },
  };
}

/** "talk.mp3  ████████░░░░░░░░░░░░  40 %  12:03 of 30:10  2 min left" */
function barLine(name: string, { seconds, total, resumed }: Progress, elapsed: number): string {
  if (total === undefined || total <= 0) return `${name}  ${clock(seconds)} done`;
  const share = Math.min(1, seconds / total);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
  const parts = [name, bar, `${Math.floor(share * 100)} %`.padStart(5), `${clock(seconds)} of ${clock(total)}`];
  // Parts of an earlier run do not count for the speed of this one.
  const pace = (seconds - resumed) / elapsed;
  if (pace > 0 && share < 1) parts.push(`${timeLeft((total - seconds) / pace)} left`);
  return parts.join("  ");
}

function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const minutes = `${whole < 3600 ? Math.floor(whole / 60) : two((whole / 60) % 60)}:${two(whole % 60)}`;
  return whole < 3600 ? minutes : `${Math.floor(whole / 3600)}:${minutes}`;
}

function timeLeft(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 90 ? `${whole} s` : `${Math.ceil(whole / 60)} min`;
}
