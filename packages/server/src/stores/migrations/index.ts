import { usersAndKeys } from "./001-users-and-keys.ts";
import { accounts } from "./002-accounts.ts";
import { wallet } from "./003-wallet.ts";
import { limitsAndUsage } from "./004-limits-and-usage.ts";
import { voices } from "./005-voices.ts";
import type { Migration } from "./migrate.ts";

/** Forward only: an entry is never changed once it was released, and the place in the list is its version. */
export const MIGRATIONS: readonly Migration[] = [usersAndKeys, accounts, wallet, limitsAndUsage, voices];
