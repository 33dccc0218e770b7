import { type Account, createAccount } from "./account/account.ts";
import { type Admin, createAdmin } from "./account/admin.ts";
import { createHistory, type History } from "./account/history.ts";
import { createProjects, type Projects } from "./account/projects.ts";
import { createUsage, type Usage } from "./account/usage.ts";
import { createWallet, type Wallet } from "./account/wallet.ts";
import { createAsr } from "./asr/asr.ts";
import type { Asr } from "./asr/types.ts";
import { createConversations } from "./conversation/conversation.ts";
import type { Conversations } from "./conversation/types.ts";
import { createConnection, type ParlanceOptions } from "./http/connection.ts";
import { createLive } from "./live/live.ts";
import type { Live } from "./live/types.ts";
import { createTraces, type Traces } from "./traces/traces.ts";
import { createTts, type Tts } from "./tts/tts.ts";
import { createVoices, type Voices } from "./voices/voices.ts";

/**
 * Client of one Parlance server.
 *
 * @example
 * ```ts
 * import { Parlance } from "@parlance/client";
 *
 * const client = new Parlance({ baseUrl: "http://127.0.0.1:8080", apiKey: process.env.PARLANCE_API_KEY });
 * const mp3 = await client.tts.convert({ text: "Hello!", format: "mp3" });
 * console.log(mp3.length);
 * ```
 */
export class Parlance {
  /** Text to speech. */
  readonly tts: Tts;
  /** Text to speech over a WebSocket, while the text is still being written. */
  readonly live: Live;
  /** Speech to text. */
  readonly asr: Asr;
  /** Conversations with the language model of the server. */
  readonly conversation: Conversations;
  /** Voices: the catalog, and the account's own. */
  readonly voices: Voices;
  /** The account of the API key or session: profile, sessions, API keys. */
  readonly account: Account;
  /** For admins: all accounts, grants and the state of the server. */
  readonly admin: Admin;
  /** What the account has spoken and transcribed. */
  readonly history: History;
  /** Long texts that are spoken paragraph by paragraph. */
  readonly projects: Projects;
  /** Usage reports. */
  readonly usage: Usage;
  /** Traces of recent requests. */
  readonly traces: Traces;
  /** Credits and the ledger of the account. */
  readonly wallet: Wallet;

  constructor(options: ParlanceOptions) {
    const connection = createConnection(options);
    this.tts = createTts(connection, options.model);
    this.asr = createAsr(connection, options.WebSocket);
    this.conversation = createConversations(connection, options.WebSocket);
    this.voices = createVoices(connection);
    this.account = createAccount(connection);
    this.admin = createAdmin(connection);
    this.history = createHistory(connection);
    this.projects = createProjects(connection);
    this.usage = createUsage(connection);
    this.traces = createTraces(connection);
    this.wallet = createWallet(connection);
    this.live = createLive(connection, options.model, options.WebSocket);
  }
}
