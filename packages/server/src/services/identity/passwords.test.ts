import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import { ARGON2, createPasswords, DUMMY_HASH } from "./passwords.ts";

describe("passwords", () => {
  it("are stored as argon2id with a salt and the stated parameters", async () => {
    const passwords = createPasswords();
    const [one, two] = await Promise.all([passwords.hash("correct horse"), passwords.hash("correct horse")]);
    assert.match(one, /^\$argon2id\$v=19\$m=47104,t=2,p=1\$/);
    assert.notEqual(one, two);
    assert.equal(await passwords.verify(one, "correct horse"), true);
    assert.equal(await passwords.verify(one, "correct house"), false);
    assert.equal(passwords.isOutdated(one), false);
    assert.equal(passwords.isOutdated(await hash("x", { memoryCost: 1024, timeCost: 1 })), true);
  });

  it("are equal however the keyboard composes their letters", async () => {
    const passwords = createPasswords();
    assert.equal(await passwords.verify(await passwords.hash("caf\u00e9 noir"), "cafe\u0301 noir"), true);
  });

  it("are verified against a dummy hash of the same cost where there is none, which never matches", async () => {
    const { memoryCost, timeCost, parallelism } = parseOptions(DUMMY_HASH);
    assert.deepEqual({ memoryCost, timeCost, parallelism }, { ...ARGON2 });
    const passwords = createPasswords();
    for (const none of [null, undefined]) assert.equal(await passwords.verify(none, "anything"), false);
    assert.equal(await verify(DUMMY_HASH, "anything"), false);
  });

  it("are hashed a few at a time, and refused when too many wait", async () => {
    const passwords = createPasswords();
    // The stored hash decides what its verification costs.
    const cheap = await hash("x", { memoryCost: 1024, timeCost: 1 });
    const attempts = Array.from({ length: 80 }, () =>
      passwords.verify(cheap, "x").then(
        () => "done",
        (error: { code?: string }) => error.code,
      ),
    );
    const outcomes = await Promise.all(attempts);
    assert.equal(outcomes.filter((outcome) => outcome === "done").length, 66);
    assert.equal(outcomes.filter((outcome) => outcome === "overloaded").length, 14);
    assert.equal(await passwords.verify(cheap, "x"), true, "the next one runs");
  });
});
