import type { OpenPeer } from "./peer.ts";

/** Other programs for the same work. */
export const peers = {
  "kokoro-js": () => import("./kokoro-js.ts"),
  "sherpa-onnx-node": () => import("./sherpa-onnx.ts"),
  "transformers.js": () => import("./transformers.ts"),
} as const satisfies Record<string, () => Promise<{ readonly openPeer: OpenPeer }>>;

export type PeerName = keyof typeof peers;

export const isPeerName = (name: string): name is PeerName => name in peers;

/** What npm installs for them. kokoro-js brings transformers.js. */
export const PEER_PACKAGES = ["kokoro-js@1.2.1", "sherpa-onnx-node@1.13.8"];
