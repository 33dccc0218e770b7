import { createConnection, type ParlanceOptions } from "./connection.ts";
import { createTts, type Tts } from "./tts.ts";

/** A client of one server. */
export class Parlance {
  readonly tts: Tts;

  constructor(options: ParlanceOptions) {
    this.tts = createTts(createConnection(options), options.model);
  }
}
