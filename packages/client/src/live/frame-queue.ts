/** Frames that were received and not read yet. */
export interface FrameQueue<Frame> {
  push(frame: Frame, bytes: number): void;
  /** Ends the queue. An error is thrown to the reader at once, or after the frames that are queued. */
  end(error?: { readonly reason: unknown; readonly atOnce: boolean }): void;
  /** Whether the reader waits for the next frame. */
  readonly awaited: boolean;
  readonly bytes: number;
  /** Can be read once. */
  frames(): AsyncGenerator<Frame, void, undefined>;
}

/** Back-pressure towards the server. */
export interface FlowControl {
  /** The reader is slow: stop receiving. */
  pause(): void;
  /** The reader has caught up: receive again. */
  resume(): void;
}

/** About ten seconds of uncompressed speech. */
const PAUSE_AT_BYTES = 1024 * 1024;
const RESUME_AT_BYTES = PAUSE_AT_BYTES / 2;

export function createFrameQueue<Frame>(flow: FlowControl, onWait: () => void): FrameQueue<Frame> {
  let waiting: { readonly frame: Frame; readonly bytes: number }[] = [];
  let bytes = 0;
  let paused = false;
  let ended: { readonly error?: { readonly reason: unknown } | undefined } | undefined;
  let wake: (() => void) | undefined;

  async function* frames(): AsyncGenerator<Frame, void, undefined> {
    for (;;) {
      const next = waiting.shift();
      if (next !== undefined) {
        bytes -= next.bytes;
        if (paused && bytes <= RESUME_AT_BYTES) {
          paused = false;
          flow.resume();
        }
        yield next.frame;
      } else if (ended !== undefined) {
        if (ended.error !== undefined) throw ended.error.reason;
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
          onWait();
        });
        wake = undefined;
      }
    }
  }

  return {
    get bytes() {
      return bytes;
    },
    get awaited() {
      return wake !== undefined;
    },
    push(frame, size) {
      if (ended !== undefined) return;
      waiting.push({ frame, bytes: size });
      bytes += size;
      if (!paused && bytes >= PAUSE_AT_BYTES) {
        paused = true;
        flow.pause();
      }
      wake?.();
    },
    end(error) {
      if (error?.atOnce === true) waiting = [];
      ended ??= { error };
      wake?.();
    },
    frames,
  };
}
