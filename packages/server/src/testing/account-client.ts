import assert from "node:assert/strict";
import { TEST_KEY, type TestServer } from "./test-server.ts";

export interface Answer {
  readonly status: number;
  readonly code: string | null;
  readonly headers: Headers;
  // Unchecked: each test asserts what it expects.
  readonly body: Readonly<Record<string, unknown>>;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly key?: string | undefined;
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request like a program or, with a cookie, like a browser. */
export async function callApi(
  server: Pick<TestServer, "url">,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const { body, key, cookie, headers = {} } = options;
  const response = await fetch(server.url + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(cookie === undefined ? {} : { cookie, "sec-fetch-site": "same-origin" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    code: response.headers.get("x-error-code"),
    headers: response.headers,
    body: text === "" ? {} : JSON.parse(text),
  };
}

export const asAdmin = (server: Pick<TestServer, "url">, method: string, path: string, body?: unknown) =>
  callApi(server, method, path, { body, key: TEST_KEY });

/** The cookie that a response sets, as a browser sends it back. */
export function cookieOf(answer: Pick<Answer, "headers">): string {
  const [set] = answer.headers.getSetCookie();
  return set?.split(";", 1)[0] ?? assert.fail("no cookie was set");
}

export const PASSWORD = "correct horse";

/** A member with a password, signed in. */
export async function signedIn(server: TestServer, email = "ada@example.org", role = "member") {
  const created = await asAdmin(server, "POST", "/admin/users", { email, password: PASSWORD, role });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const answer = await callApi(server, "POST", "/account/sign-in", { body: { email, password: PASSWORD } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return { id: String(created.body._id), cookie: cookieOf(answer), answer };
}
