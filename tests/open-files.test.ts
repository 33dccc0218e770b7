import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { bundleScript } from "../packages/server/src/testing/bundle-script.ts";
import { temporaryFolder } from "../packages/server/src/testing/temporary-folder.ts";
import { until } from "./support/until.ts";

const KEY = "test-key-0123456789abcdef";
const OPEN_FILES = 120;

describe("a server with few open files", { skip: process.platform !== "linux" && "it needs ulimit and /proc" }, () => {
  it("answers another address and speaks while one address opens more connections than there are files", async (context) => {
    const { url } = await serve(context);
    const port = Number(new URL(url).port);
    const hold = (): Socket[] =>
      Array.from({ length: 2 * OPEN_FILES }, () => connect(port, "127.0.0.1").on("error", () => {}));
    for (let round = 0; round < 2; round += 1) {
      const held = hold();
      await until(() => held.filter((socket) => socket.destroyed).length > OPEN_FILES, { what: "most are closed" });
      assert.equal(await request(port, "GET", "/health/live"), 200);
      assert.equal(await request(port, "POST", "/v1/tts", JSON.stringify({ text: "Hello.", format: "pcm" })), 200);
      for (const socket of held) socket.destroy();
    }
    await until(
      () =>
        fetch(`${url}/health/live`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { what: "the address is served again" },
    );
  });
});

/** From another address of this machine. */
function request(port: number, method: string, path: string, body = ""): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${KEY}`, model: "s2-pro", "content-type": "application/json" };
    httpRequest(
      {
        port,
        host: "127.0.0.1",
        localAddress: "127.0.0.2",
        method,
        path,
        headers: method === "GET" ? {} : headers,
        agent: false,
      },
      (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode));
      },
    )
      .once("error", reject)
      .end(body);
  });
}

async function serve(context: TestContext) {
  const script = await bundleScript("serve-until-killed.ts");
  context.after(() => rmSync(script, { force: true }));
  const command = `ulimit -n ${OPEN_FILES}; exec "$0" "$1"`;
  const child = spawn("bash", ["-c", command, process.execPath, script], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  context.after(() => child.kill("SIGKILL"));
  await once(child, "message");
  child.send({ PARLANCE_PORT: "0", PARLANCE_DATA: await temporaryFolder(context), PARLANCE_ADMIN_KEY: KEY });
  const [url] = (await once(child, "message")) as [string];
  return { url };
}
