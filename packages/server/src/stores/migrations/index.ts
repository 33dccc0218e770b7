import { usersAndKeys } from "./001-users-and-keys.ts";
import type { Migration } from "./migrate.ts";

/** Forward only: an entry is never changed once it was released, and the place in the list is its version. */
export const MIGRATIONS: readonly Migration[] = [usersAndKeys];
