export interface ImageJob {
  readonly bytes: Uint8Array;
}

export interface CleanImage {
  readonly type: "image/png" | "image/jpeg";
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export type FromImageProcess =
  | { readonly type: "ready" }
  | { readonly type: "done"; readonly image: CleanImage }
  /** The message is meant for the client that sent it. */
  | { readonly type: "refused"; readonly message: string };
