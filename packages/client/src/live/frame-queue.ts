/** What has come and was not taken yet. */
export interface FrameQueue<Frame> {
  push(frame: Frame, bytes: number): void;
  /** Nothing more will come. With an error the reader gets what is there and then the error, or at once the error. */
  end(error?: { readonly reason: unknown; readonly atOnce: boolean }): void;
  /** Somebody waits for the next one. */
  readonly awaited: boolean;
  readonly bytes: number;
  /** Can be read once. */
  frames(): AsyncGenerator<Frame, void, undefined>;
}

export interface Flow {
  /** The reader is behind: more should not come for now. */
  hold(): void;
  /** The reader has caught up. */
  go(): void;
}

/** About ten seconds of uncompressed speech. */
const HOLD_AT_BYTES = 1024 * 1024;
const GO_AT_BYTES = HOLD_AT_BYTES / 2;

export function createFrameQueue<Frame>(flow: Flow, onWait: () => void): FrameQueue<Frame> {
  let waiting: { readonly frame: Frame; readonly bytes: number }[] = [];
  let bytes = 0;
  let held = false;
  let ended: { readonly error?: { readonly reason: unknown } | undefined } | undefined;
  let wake: (() => void) | undefined;

  async function* frames(): AsyncGenerator<Frame, void, undefined> {
    for (;;) {
      const next = waiting.shift();
      if (next !== undefined) {
        bytes -= next.bytes;
        if (held && bytes <= GO_AT_BYTES) {
          held = false;
          flow.go();
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
      if (!held && bytes >= HOLD_AT_BYTES) {
        held = true;
        flow.hold();
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
