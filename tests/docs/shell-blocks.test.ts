import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { createProgram } from "../../packages/cli/src/program.ts";
import { createTerminal } from "../../packages/cli/src/terminal.ts";
import { testFiles } from "../../scripts/tiers.ts";
import { commandPages, shellBlocks, unusedExceptions } from "./shell-blocks.ts";

const program = createProgram({ environment: {}, terminal: createTerminal({}, process) });
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Readonly<Record<string, string>> };
const benches = [...readFileSync("bench/main.ts", "utf8").matchAll(/^ {2}(\w+): async/gm)].map(([, name]) => name);

/** The commands of a page: in its shell blocks, and in the text between backquotes. */
function commandsIn(page: string, name: string): readonly string[] {
  const inText = [...readFileSync(page, "utf8").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  const lines = [...inText, ...shellBlocks(page).flatMap(({ code }) => code.replaceAll("\\\n", " ").split("\n"))];
  const command = new RegExp(String.raw`(?:^\s*|[;&|(]\s*|=\S* )${name} ([^;&|)#]+)`, "g");
  return lines.flatMap((line) => [...line.matchAll(command)].map(([, rest = ""]) => rest.trim()));
}

describe("the commands of the documentation", { timeout: 30_000 }, () => {
  for (const page of commandPages) {
    it(`${page}: commands and options of parlance exist`, () => {
      for (const line of commandsIn(page, "parlance")) checkCommand(page, line);
    });

    it(`${page}: scripts, benches and test files exist`, () => {
      for (const line of commandsIn(page, "npm")) checkNpm(page, line);
    });
  }

  it("exceptions are in use", () => assert.deepEqual(unusedExceptions(), []));
});

function checkCommand(page: string, line: string): void {
  const words = line.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  let command: ReturnType<typeof createProgram> = program;
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (next) command = next;
    if (!/^--?[a-z]/.test(word)) continue;
    const [flag = ""] = word.split("=");
    const known = ["-h", "--help", ...command.options.flatMap(({ short, long }) => [short, long])];
    assert.ok(known.includes(flag), `${page}: parlance ${line}: ${command.name()} has no ${flag}`);
  }
  assert.ok(command !== program || /^(?:--?\w|…)/.test(line), `${page}: parlance ${line}: there is no such command`);
}

function checkNpm(page: string, line: string): void {
  const [, script, rest = ""] = /^(?:run )?(?:--silent )?([\w:]+)(?: -- (.+))?$/.exec(line) ?? [];
  if (!/^(run|test|start)\b/.test(line) || script === undefined) return;
  assert.ok(script in scripts, `${page}: npm ${line}: there is no script ${script}`);
  const [name = ""] = rest.split(" ");
  if (name === "" || name.startsWith("-")) return;
  if (script === "bench") assert.ok(benches.includes(name), `${page}: npm ${line}: there is no bench ${name}`);
  if (script === "test")
    assert.ok(
      testFiles().some((file) => file.includes(name)),
      `${page}: npm ${line}: no test file`,
    );
}

it("files that exceptions name exist", () => {
  for (const [, path = ""] of readFileSync("tests/docs/shell-blocks.ts", "utf8").matchAll(
    /; ((?:tests|packages)\/[\w./-]+)"/g,
  ))
    assert.ok(existsSync(path), path);
});
