import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { linkBase } from "./link-base.ts";

describe("the address in a sign-in link", () => {
  it("is the public one where it is set", () => {
    const request = { protocol: "http", host: "attacker.example" } as const;
    assert.equal(linkBase("https://voice.example.org", request), "https://voice.example.org");
  });

  it("follows the Host header only for loopback hosts", () => {
    for (const host of ["localhost:8080", "127.0.0.1", "[::1]:8080", "voice.localhost"]) {
      assert.equal(linkBase(undefined, { protocol: "http", host }), `http://${host}`);
    }
    for (const host of [
      "attacker.example",
      "localhost.attacker.example",
      "127.0.0.1.attacker.example:80",
      "10.0.0.1",
      "",
      "localhost@attacker.example",
      "attacker.example#localhost",
      "evil.example/.localhost",
    ]) {
      assert.throws(() => linkBase(undefined, { protocol: "http", host }), {
        code: "public_url_missing",
        message: /PARLANCE_PUBLIC_URL/,
      });
    }
  });
});
