import { DEFAULT_PLANS, type PlanName, type Plans } from "@parlance/protocol";
import { createReservationService } from "../services/billing/reservations.ts";
import { createWalletService } from "../services/billing/wallet.ts";
import type { Store } from "../stores/store.ts";

/** Small packages, so that they are used up. */
export const SMALL_PLANS: Plans = {
  free: { ...DEFAULT_PLANS.free, credits: 100 },
  plus: { ...DEFAULT_PLANS.plus, credits: 300 },
  pro: { ...DEFAULT_PLANS.pro, credits: 0 },
  unlimited: DEFAULT_PLANS.unlimited,
};

/** A random operation on a wallet. Users, requests and grants are few, so that processes collide. */
export type WalletCommand = { readonly user: number; readonly day: number } & (
  | { readonly do: "reserve"; readonly request: number; readonly credits: number }
  | { readonly do: "deliver"; readonly request: number; readonly credits: number }
  | { readonly do: "settle"; readonly request: number; readonly used: number }
  | { readonly do: "refund"; readonly request: number }
  | { readonly do: "grant"; readonly key: number; readonly amount: number }
  | { readonly do: "renew" }
  | { readonly do: "plan"; readonly plan: PlanName }
  | { readonly do: "expireNode"; readonly node: number }
  | { readonly do: "expire" }
);

export interface WalletRun {
  readonly users: readonly string[];
  readonly node: number;
  readonly commands: readonly WalletCommand[];
}

/** The result of a command. A refused command must have no effect. */
export interface WalletOutcome {
  readonly command: WalletCommand;
  readonly node: number;
  readonly done: boolean;
  /** With settle and refund: what was charged. */
  readonly kept?: number;
}

const START = Date.parse("2026-01-31T12:00:00.000Z");
const DAY_MS = 86_400_000;

/** Runs the commands of one process, one after the other. */
export async function runWalletCommands(store: Store, { users, node, commands }: WalletRun): Promise<WalletOutcome[]> {
  const outcomes: WalletOutcome[] = [];
  let time = START;
  const now = () => time;
  const parts = {
    wallets: createWalletService(store, SMALL_PLANS, now),
    reservations: createReservationService({
      store,
      plans: SMALL_PLANS,
      node: nodeName(users, node),
      now,
      elapsed: now,
    }),
  };
  for (const command of commands) {
    time = START + command.day * DAY_MS;
    const userId = users[command.user % users.length] ?? "";
    try {
      outcomes.push({ command, node, ...(await perform(store, parts, users, userId, command)) });
    } catch (error) {
      // Refusals are expected; any other error fails the test.
      if (!(error instanceof Error && error.name === "ApiError")) throw error;
      outcomes.push({ command, node, done: false });
    }
  }
  return outcomes;
}

/** Unique for one run. */
export function nodeName(users: readonly string[], node: number): string {
  return `${users[0]}-${node}`;
}

async function perform(
  store: Store,
  {
    wallets,
    reservations,
  }: {
    readonly wallets: ReturnType<typeof createWalletService>;
    readonly reservations: ReturnType<typeof createReservationService>;
  },
  users: readonly string[],
  userId: string,
  command: WalletCommand,
): Promise<Omit<WalletOutcome, "command" | "node">> {
  const close = async (request: number, used: number) => {
    const kept = await reservations.close(userId, `r${request}`, used);
    return kept === undefined ? { done: false } : { done: true, kept };
  };
  switch (command.do) {
    case "reserve": {
      const { request, credits } = command;
      return { done: await reservations.open({ userId, requestId: `r${request}`, operation: "tts", credits }) };
    }
    case "deliver":
      await reservations.deliver(userId, `r${command.request}`, command.credits);
      return { done: true };
    case "settle":
      return close(command.request, command.used);
    case "refund":
      return close(command.request, 0);
    case "grant":
      return { done: (await wallets.grant(userId, { amount: command.amount, key: `g${command.key}` })).created };
    case "renew":
      await wallets.view(userId);
      return { done: true };
    case "plan":
      return { done: await store.users.update(userId, { plan: command.plan }, new Date().toISOString()) };
    case "expireNode":
      await reservations.closeForNode(nodeName(users, command.node));
      return { done: true };
    case "expire":
      await reservations.closeExpired();
      return { done: true };
  }
}
