/** To the process that decodes Opus packets, for any number of streams. A stream begins with its first packets. */
export type ToPacketDecoder =
  | {
      readonly type: "decode";
      readonly stream: number;
      readonly request: number;
      readonly packets: readonly Uint8Array[];
    }
  | { readonly type: "close"; readonly stream: number };

/** Mono samples of 16 bits in 16 kHz, little-endian. Packets that cannot be decoded give none. */
export interface FromPacketDecoder {
  readonly request: number;
  readonly samples: Uint8Array;
}
