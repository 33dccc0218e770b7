import type { AccountRecord } from "@parlance/protocol";
import { createContext, useContext } from "react";

export interface Session {
  readonly account: AccountRecord;
  /** Asks the server again who is there. */
  reload(): void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** For pages, which are only shown to somebody who is signed in. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error("useSession was called outside of SessionContext");
  return session;
}
