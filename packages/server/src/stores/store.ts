import type { Kysely } from "kysely";
import { createTurnsByKey, type TurnsByKey } from "../lib/turns-by-key.ts";
import { type ApiKeyStore, createApiKeys } from "./api-keys.ts";
import { type AuditLogStore, createAuditLog } from "./audit-log.ts";
import { createHistory, type HistoryStore } from "./history.ts";
import { createKeySpending, type KeySpendingStore } from "./key-spending.ts";
import { createLeases, type LeaseStore } from "./leases.ts";
import { createLedger, type LedgerStore } from "./ledger.ts";
import type { NodeLocks } from "./node-locks.ts";
import { createNodes, type NodeStore } from "./nodes.ts";
import { createOidcIdentities, type OidcIdentityStore } from "./oidc-identities.ts";
import { createProjects, type ProjectStore } from "./projects.ts";
import { createPronunciations, type PronunciationStore } from "./pronunciations.ts";
import { createRefinementQueue, type RefinementQueueStore } from "./refinement-queue.ts";
import { createRemakeQueue, type RemakeQueueStore } from "./remake-queue.ts";
import { createReservations, type ReservationStore } from "./reservations.ts";
import { createSessions, type SessionStore } from "./sessions.ts";
import { createSignInAttempts, type SignInAttemptStore } from "./sign-in-attempts.ts";
import { createSignInLinks, type SignInLinkStore } from "./sign-in-links.ts";
import { createSubscriptions, type SubscriptionStore } from "./subscriptions.ts";
import type { Tables } from "./tables.ts";
import { createUsage, type UsageStore } from "./usage.ts";
import { createUsers, type UserStore } from "./users.ts";
import { createVoiceAliases, type VoiceAliasStore } from "./voice-aliases.ts";
import { createVoiceBlobs, type VoiceBlobStore } from "./voice-blobs.ts";
import { createVoiceLikes, type VoiceLikeStore } from "./voice-likes.ts";
import { createVoiceObjects, type VoiceObjectStore } from "./voice-objects.ts";
import { createVoices, type VoiceStore } from "./voices.ts";
import { createWallets, type WalletStore } from "./wallets.ts";
import { createWriteProbe } from "./write-probe.ts";

/**
 * The records of the service, in SQL that both databases understand. A method is one query; the few that write several
 * rows or tables are called in a transaction.
 * Times are RFC 3339 in UTC with milliseconds, so that they sort as text.
 */
export interface Records {
  readonly users: UserStore;
  readonly apiKeys: ApiKeyStore;
  readonly keySpending: KeySpendingStore;
  readonly sessions: SessionStore;
  readonly signInLinks: SignInLinkStore;
  readonly signInAttempts: SignInAttemptStore;
  readonly nodes: NodeStore;
  readonly wallets: WalletStore;
  readonly ledger: LedgerStore;
  readonly reservations: ReservationStore;
  readonly subscriptions: SubscriptionStore;
  readonly usage: UsageStore;
  readonly voices: VoiceStore;
  readonly voiceLikes: VoiceLikeStore;
  readonly voiceBlobs: VoiceBlobStore;
  readonly voiceObjects: VoiceObjectStore;
  readonly voiceAliases: VoiceAliasStore;
  readonly pronunciations: PronunciationStore;
  readonly remakeQueue: RemakeQueueStore;
  readonly refinementQueue: RefinementQueueStore;
  readonly history: HistoryStore;
  readonly projects: ProjectStore;
  readonly auditLog: AuditLogStore;
  readonly oidcIdentities: OidcIdentityStore;
}

export interface Store extends Records {
  /** Commits all writes of the work, or none. */
  transaction<Result>(work: (records: Records) => Promise<Result>): Promise<Result>;
  /** For transactions of this process that lock the same row: only one of them waits for the lock, with a connection. */
  readonly turns: TurnsByKey;
  /** A transaction that runs alone among all processes that use this database. */
  exclusively<Result>(work: (records: Records) => Promise<Result>): Promise<Result>;
  /** With SQLite: which processes that use the data folder are running. */
  readonly nodeLocks: NodeLocks | undefined;
  /** With PostgreSQL: how many requests run on each node. */
  readonly leases: LeaseStore | undefined;
  /** With SQLite: overwrites deleted data in the files. Skipped while the database is being read; the next call does it. */
  erase(): Promise<void>;
  /** Throws when the database cannot be read or written. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The differences between the two databases. */
export interface Driver {
  readonly db: Kysely<Tables>;
  readonly nodeLocks?: NodeLocks;
  /** Whether other machines may use it at the same time. */
  readonly shared?: boolean;
  transaction<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  exclusively<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  /** Left out for PostgreSQL, whose files are not accessible. */
  erase?(): Promise<void>;
}

/** The turn of transactions that run alone. No other key has this form. */
const EXCLUSIVE = "exclusive";

export function createStore({ db, nodeLocks, shared, transaction, exclusively, erase }: Driver): Store {
  const turns = createTurnsByKey();
  return {
    ...createRecords(db),
    nodeLocks,
    leases: shared ? createLeases(db) : undefined,
    transaction: (work) => transaction((bound) => work(createRecords(bound))),
    turns,
    exclusively: (work) => turns.run(EXCLUSIVE, () => exclusively((bound) => work(createRecords(bound)))),
    async erase() {
      await erase?.();
    },
    ping: createWriteProbe(db),
    close: () => db.destroy(),
  };
}

function createRecords(db: Kysely<Tables>): Records {
  return {
    users: createUsers(db),
    apiKeys: createApiKeys(db),
    keySpending: createKeySpending(db),
    sessions: createSessions(db),
    signInLinks: createSignInLinks(db),
    signInAttempts: createSignInAttempts(db),
    nodes: createNodes(db),
    wallets: createWallets(db),
    ledger: createLedger(db),
    reservations: createReservations(db),
    subscriptions: createSubscriptions(db),
    usage: createUsage(db),
    voices: createVoices(db),
    voiceLikes: createVoiceLikes(db),
    voiceBlobs: createVoiceBlobs(db),
    voiceObjects: createVoiceObjects(db),
    voiceAliases: createVoiceAliases(db),
    pronunciations: createPronunciations(db),
    remakeQueue: createRemakeQueue(db),
    refinementQueue: createRefinementQueue(db),
    history: createHistory(db),
    projects: createProjects(db),
    auditLog: createAuditLog(db),
    oidcIdentities: createOidcIdentities(db),
  };
}
