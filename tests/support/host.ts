/** Where the processes of a test run: on this machine, or in a network namespace of their own. */
export interface Host {
  /** The address that they listen on. */
  readonly address: string;
  /** Runs the program that follows it there. */
  readonly command: readonly string[];
  /** Undefined where other programs use the same address: a free port has to be found. */
  readonly port: number | undefined;
}

export const LOOPBACK: Host = { address: "127.0.0.1", command: [], port: undefined };

/** A host that can be cut off. */
export interface CuttableHost extends Host {
  cut(): Promise<void>;
  /** Connects it again. */
  mend(): Promise<void>;
}
