import { createConnection, type ParlanceOptions } from "./connection.ts";
import { createLive } from "./live/live.ts";
import type { Live } from "./live/types.ts";
import { createTts, type Tts } from "./tts.ts";

/** A client of one server. */
export class Parlance {
  readonly tts: Tts;
  /** Speaks text while it is being written. */
  readonly live: Live;

  constructor(options: ParlanceOptions) {
    const connection = createConnection(options);
    this.tts = createTts(connection, options.model);
    this.live = createLive(connection, options.model, options.WebSocket);
  }
}
