import type { ActiveRequests } from "../../../http/active-requests.ts";
import type { Slot } from "../../../services/limits/limits.ts";

/**
 * The account's slot that a socket holds while it speaks. An open round that has nothing to say holds none, so idle
 * sockets do not keep the account from speaking, and a shutdown does not wait for them.
 */
export interface SessionSlot {
  /** Before a chunk of text is spoken. `acquire` is called only where no slot is held. */
  take(acquire: () => Promise<Slot>, controller: AbortController): Promise<void>;
  /** Nothing is left to say: given back unless more text comes soon. */
  idle(): void;
  release(): Promise<void>;
  readonly isHeld: boolean;
}

/** Pauses up to this long belong to the same turn: its slot is kept for what follows. */
const IDLE_MS = 2_000;
/** A new socket keeps the slot of its upgrade for its first round this long. */
const FIRST_ROUND_MS = 5_000;

/** `first` is a slot that was acquired before there was text. */
export function createSessionSlot(
  first: Slot | undefined,
  activeRequests: ActiveRequests,
  onReleased: () => void,
): SessionSlot {
  let slot: Slot | undefined = first;
  let isSpeaking = false;
  let endActive = (): void => {};
  let timer = setTimeout(() => void release(), FIRST_ROUND_MS);

  async function release(): Promise<void> {
    clearTimeout(timer);
    const held = slot;
    slot = undefined;
    isSpeaking = false;
    endActive();
    endActive = () => {};
    await held?.release();
    onReleased();
  }

  return {
    async take(acquire, controller) {
      clearTimeout(timer);
      if (slot === undefined) {
        const taken = await acquire();
        // The socket may have closed meanwhile, and will not release anything again.
        if (controller.signal.aborted) await taken.release();
        controller.signal.throwIfAborted();
        slot = taken;
      }
      if (isSpeaking) return;
      isSpeaking = true;
      // After a pause, the work may be another one's.
      endActive();
      endActive = activeRequests.add(controller);
    },
    idle() {
      clearTimeout(timer);
      isSpeaking = false;
      timer = setTimeout(() => void release(), IDLE_MS);
    },
    release,
    get isHeld() {
      return isSpeaking;
    },
  };
}
