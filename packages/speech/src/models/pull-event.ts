/**
 * - `present`: was installed already
 * - `waiting`: another process is pulling it
 * - `downloading`
 * - `checking`: unpacking and hashing
 * - `installed`: done now
 */
export type PullStep = "present" | "waiting" | "downloading" | "checking" | "installed";

export interface PullEvent {
  readonly model: string;
  readonly step: PullStep;
  /** Bytes of this model's downloads. */
  readonly received: number;
  readonly total: number;
}
