import type { PlanName } from "@parlance/protocol";
import type { TestServer } from "./test-server.ts";
import { assertBalanced, insertUser } from "./wallet-user.ts";

/** A user of a test server who is no admin, with a key. */
export interface Member {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  get(path: string): Promise<Response>;
  /** [package, extra], once nothing is open any more. */
  balances(): Promise<readonly [number, number]>;
}

export async function addMember(server: TestServer, plan: PlanName = "free"): Promise<Member> {
  const id = await insertUser(server.store, { plan, createdAt: new Date().toISOString() });
  const { secret } = await server.keys.create(id, "test");
  const headers = { authorization: `Bearer ${secret}` };
  return {
    id,
    headers,
    get: (path) => fetch(server.url + path, { headers }),
    async balances() {
      while ((await server.store.reservations.ofUser(id)).length > 0) await new Promise((r) => setTimeout(r, 5));
      // It is made when it is first looked at.
      await fetch(`${server.url}/wallet/self/package`, { headers });
      await assertBalanced(server.store, id);
      const wallet = await server.store.wallets.find(id);
      return [wallet?.balance ?? 0, wallet?.extra ?? 0];
    },
  };
}
