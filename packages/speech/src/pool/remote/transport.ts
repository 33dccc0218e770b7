/** Messages between machines: at most once, in order from one sender to one subject. */
export interface Transport {
  readonly connected: boolean;
  /** Drops the message while there is no connection: the receiver notices the gap. */
  publish(subject: string, payload: Uint8Array, reply?: string): void;
  /** Until the returned function is called, across lost connections. */
  subscribe(subject: string, onMessage: (payload: Uint8Array, reply: string | undefined) => void): () => void;
  /** Calls back with each change of `connected`. */
  onChange(listener: (connected: boolean) => void): void;
  close(): Promise<void>;
}
