import { Parlance } from "@parlance/client";

/** The server that this page came from; the session cookie identifies the account. */
export const client = new Parlance({ baseUrl: window.location.origin });
