import { SpeechError } from "../../../errors.ts";
import type { ClonedSound } from "../make-voice.ts";

/** Until then somebody has to upgrade a machine. */
const RETRY_SECONDS = 60;

/**
 * Refuses a voice that another version of the voice encoder has made, as in the midst of an upgrade: its numbers belong to other
 * weights, and what was refined with the wrong ones would stay. `own`: the version here.
 */
export function refuseOtherEncoder({ encoder }: Pick<ClonedSound, "encoder">, own: string): void {
  if (encoder === "" || encoder === own) return;
  const message =
    "this machine has another version of the voice encoder than the one that made the voice: " +
    "upgrade all worker machines and api nodes to the same version";
  throw new SpeechError("not_ready", message, RETRY_SECONDS);
}
