import type { AccountRecord } from "@parlance/protocol";
import { createContext, useContext } from "react";

export interface Session {
  readonly account: AccountRecord;
  /** Loads the account again. */
  reload(): void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** For pages, which are only shown while an account is signed in. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error("useSession was called outside of SessionContext");
  return session;
}
