/** What a program under comparison does in its own process, and what it reports. */
export interface SpokenText {
  /** Until the first samples could be played. */
  readonly firstAudioMs: number;
  readonly totalMs: number;
  readonly audioSeconds: number;
}

export type Peer =
  | { readonly speak: (text: string) => Promise<SpokenText> }
  | { readonly transcribe: (samples: Float32Array) => Promise<string> };

/** Opens a peer from the packages in a folder. */
export type OpenPeer = (packages: string) => Promise<Peer>;
