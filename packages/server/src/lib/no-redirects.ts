/**
 * For requests with a key that is for one address only: a redirect is a response like any other, with its status. With "error",
 * `fetch` of Node 20 does not stop reading a body when its signal is aborted after a garbage collection
 * (https://github.com/nodejs/undici/issues/4627).
 */
export const NO_REDIRECTS = { redirect: "manual" } as const;
