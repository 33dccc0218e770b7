import type { PlanName } from "@parlance/protocol";
import type { TestServer } from "./test-server.ts";
import { until } from "./until.ts";
import { assertBalanced, insertUser } from "./wallet-user.ts";

/** A member account of a test server, with a key. */
export interface Member {
  readonly id: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  get(path: string): Promise<Response>;
  /** [package, extra], once all reservations are closed. */
  balances(): Promise<readonly [number, number]>;
}

export async function addMember(server: TestServer, plan: PlanName = "free"): Promise<Member> {
  const id = await insertUser(server.store, { plan, createdAt: new Date().toISOString() });
  const { secret } = await server.keys.create(id, "test");
  const headers = { authorization: `Bearer ${secret}` };
  return {
    id,
    key: secret,
    headers,
    get: (path) => fetch(server.url + path, { headers }),
    async balances() {
      await until(async () => (await server.store.reservations.ofUser(id)).length === 0);
      // The wallet is created at the first view.
      await fetch(`${server.url}/wallet/self/package`, { headers });
      await assertBalanced(server.store, id);
      const wallet = await server.store.wallets.find(id);
      return [wallet?.balance ?? 0, wallet?.extra ?? 0];
    },
  };
}
