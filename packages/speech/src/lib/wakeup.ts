/** Lets one task sleep until another one notifies it. A notification that comes before the wait is not lost. */
export interface Wakeup {
  notify(): void;
  /** Resolves at a notification, when the signal aborts, or after `seconds`. True when it was notified. */
  wait(signal: AbortSignal, seconds?: number): Promise<boolean>;
}

export function createWakeup(): Wakeup {
  let notified = false;
  let wake = () => {};
  return {
    notify() {
      notified = true;
      wake();
    },
    async wait(signal, seconds) {
      if (!notified && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = seconds === undefined ? undefined : setTimeout(() => wake(), Math.max(1, seconds * 1000));
          wake = () => {
            clearTimeout(timer);
            signal.removeEventListener("abort", wake);
            resolve();
          };
          signal.addEventListener("abort", wake);
        });
      }
      const result = notified;
      notified = false;
      return result;
    },
  };
}
