import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { runInProcess } from "./testing/run-in-process.ts";

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(["completion", shell]);
  assert.equal(code, 0, stderr);
  return stdout;
}

test("bash completes commands, subcommands, options and their values", async () => {
  const script = await scriptFor("bash");
  const complete = (...words: string[]): string[] => {
    const list = ["parlance", ...words].map((word) => `'${word}'`).join(" ");
    const run = `${script}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length}; _parlance; echo "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", run], { encoding: "utf8" }).trim().split(" ");
  };
  assert.deepEqual(complete("sa"), ["say"]);
  assert.ok(complete("users", "").includes("create"));
  assert.deepEqual(complete("say", "--out"), ["--output"]);
  assert.deepEqual(complete("say", "--format", "o"), ["opus"]);
  assert.ok(complete("say", "Hello", "--sp").includes("--speed"));
});

test("zsh and fish know every command", async () => {
  const [zsh, fish] = [await scriptFor("zsh"), await scriptFor("fish")];
  assert.match(zsh, /^#compdef parlance\n/);
  for (const name of ["say", "transcribe", "serve", "completion"]) {
    assert.match(zsh, new RegExp(`\\b${name}\\b`));
    assert.match(fish, new RegExp(`^complete -c parlance -f .* -a ${name} -d '`, "m"));
  }
  assert.match(fish, /-s f -l format -d 'audio format' -x -a 'mp3 wav/);
});

test("an unknown shell is refused with the list of those that are known", async () => {
  const { code, stderr } = await runInProcess(["completion", "tcsh"]);
  assert.equal(code, 2);
  assert.match(stderr, /bash, zsh, fish/);
});
