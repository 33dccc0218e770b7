import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { countSessions } from "../../../testing/count-sessions.ts";
import { testModels } from "../../../testing/models.ts";
import { refinementNetworks } from "../gradient/refinement-networks.ts";
import { xvectorFiles } from "../xvector/files.ts";
import { loadRefinementNetworks } from "./load-networks.ts";

test("the networks of a refinement leave no session open when one fails", { timeout: 120_000 }, async (context) => {
  const models = await testModels("xvector");
  const files = { xvector: xvectorFiles(models), networks: refinementNetworks.map((url) => fileURLToPath(url)) };
  const { all, restore } = countSessions(context);
  await loadRefinementNetworks(files, 1);
  assert.ok(all() > 3, `${all()} sessions`);
  restore();
  for (let failing = 0; failing < all(); failing++) {
    const sessions = countSessions(context, failing);
    await assert.rejects(loadRefinementNetworks(files, 1), /out of memory/);
    assert.equal(sessions.open.size, 0, `after session ${failing} failed`);
    sessions.restore();
  }
});
