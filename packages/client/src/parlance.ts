import { type Account, createAccount } from "./account/account.ts";
import { type Admin, createAdmin } from "./account/admin.ts";
import { createUsage, type Usage } from "./account/usage.ts";
import { createWallet, type Wallet } from "./account/wallet.ts";
import { createAsr } from "./asr/asr.ts";
import type { Asr } from "./asr/types.ts";
import { createConnection, type ParlanceOptions } from "./http/connection.ts";
import { createLive } from "./live/live.ts";
import type { Live } from "./live/types.ts";
import { createTraces, type Traces } from "./traces/traces.ts";
import { createTts, type Tts } from "./tts/tts.ts";
import { createVoices, type Voices } from "./voices/voices.ts";

/** A client of one server. */
export class Parlance {
  readonly tts: Tts;
  /** Speaks text while it is being written. */
  readonly live: Live;
  /** Speech to text. */
  readonly asr: Asr;
  /** Voice models: the catalogue, and the caller's own. */
  readonly voices: Voices;
  /** The caller's own account and API keys. */
  readonly account: Account;
  /** For admins: other people's accounts. */
  readonly admin: Admin;
  /** What was used. */
  readonly usage: Usage;
  /** Where the time of recent requests went. */
  readonly traces: Traces;
  /** What can be spent, and what it was spent on. */
  readonly wallet: Wallet;

  constructor(options: ParlanceOptions) {
    const connection = createConnection(options);
    this.tts = createTts(connection, options.model);
    this.asr = createAsr(connection);
    this.voices = createVoices(connection);
    this.account = createAccount(connection);
    this.admin = createAdmin(connection);
    this.usage = createUsage(connection);
    this.traces = createTraces(connection);
    this.wallet = createWallet(connection);
    this.live = createLive(connection, options.model, options.WebSocket);
  }
}
