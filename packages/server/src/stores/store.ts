import type { Kysely } from "kysely";
import { type ApiKeyStore, createApiKeys } from "./api-keys.ts";
import { createLeases, type LeaseStore } from "./leases.ts";
import { createLedger, type LedgerStore } from "./ledger.ts";
import type { NodeLocks } from "./node-locks.ts";
import { createNodes, type NodeStore } from "./nodes.ts";
import { createReservations, type ReservationStore } from "./reservations.ts";
import { createSessions, type SessionStore } from "./sessions.ts";
import { createSignInAttempts, type SignInAttemptStore } from "./sign-in-attempts.ts";
import { createSignInLinks, type SignInLinkStore } from "./sign-in-links.ts";
import { createSubscriptions, type SubscriptionStore } from "./subscriptions.ts";
import type { Tables } from "./tables.ts";
import { createUsage, type UsageStore } from "./usage.ts";
import { createUsers, type UserStore } from "./users.ts";
import { createVoiceBlobs, type VoiceBlobStore } from "./voice-blobs.ts";
import { createVoiceWork, type VoiceWorkStore } from "./voice-work.ts";
import { createVoices, type VoiceStore } from "./voices.ts";
import { createWallets, type WalletStore } from "./wallets.ts";

/**
 * Records as the services see them, one query per method, in SQL that both databases read the same.
 * Times are RFC 3339 in UTC, always with milliseconds, so that they sort as text.
 */
export interface Records {
  readonly users: UserStore;
  readonly apiKeys: ApiKeyStore;
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
  readonly voiceBlobs: VoiceBlobStore;
  readonly voiceWork: VoiceWorkStore;
}

export interface Store extends Records {
  /** All of it is kept, or nothing. */
  transaction<Result>(work: (records: Records) => Promise<Result>): Promise<Result>;
  /** The same, and it runs alone among all processes that use this database. */
  exclusively<Result>(work: (records: Records) => Promise<Result>): Promise<Result>;
  /** Where processes share a folder: whether one of them is still there. */
  readonly nodeLocks: NodeLocks | undefined;
  /** Where nodes on other machines may use the database at the same time: the requests that run on each. */
  readonly leases: LeaseStore | undefined;
  /** Overwrites what was deleted, where the files are ours. While others read them it may be left for the next time. */
  erase(): Promise<void>;
  /** Throws when the database cannot be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** What differs between the two databases. */
export interface Driver {
  readonly db: Kysely<Tables>;
  readonly nodeLocks?: NodeLocks;
  /** Whether other machines may use it at the same time. */
  readonly shared?: boolean;
  transaction<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  exclusively<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  /** Left out where the files are somebody else's. */
  erase?(): Promise<void>;
}

export function createStore({ db, nodeLocks, shared, transaction, exclusively, erase }: Driver): Store {
  return {
    ...createRecords(db),
    nodeLocks,
    leases: shared ? createLeases(db) : undefined,
    transaction: (work) => transaction((bound) => work(createRecords(bound))),
    exclusively: (work) => exclusively((bound) => work(createRecords(bound))),
    async erase() {
      await erase?.();
    },
    async ping() {
      await db.selectNoFrom((row) => row.lit(1).as("one")).execute();
    },
    close: () => db.destroy(),
  };
}

function createRecords(db: Kysely<Tables>): Records {
  return {
    users: createUsers(db),
    apiKeys: createApiKeys(db),
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
    voiceBlobs: createVoiceBlobs(db),
    voiceWork: createVoiceWork(db),
  };
}
