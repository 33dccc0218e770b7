import { Parlance } from "@parlance/client";

/** The server that this page came from; the session cookie says who calls. */
export const client = new Parlance({ baseUrl: window.location.origin });
