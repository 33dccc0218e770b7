/** npm run release: raises the version of all packages as the changesets ask, and moves their texts into CHANGELOG.md. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = ".changeset";
const titles = { major: "Major changes", minor: "Minor changes", patch: "Patch changes" } as const;
type Kind = keyof typeof titles;

const texts: Record<Kind, string[]> = { major: [], minor: [], patch: [] };
for (const name of readdirSync(folder).sort()) {
  if (!name.endsWith(".md") || name === "README.md") continue;
  const [, head = "", text = ""] =
    /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(join(folder, name), "utf8")) ?? [];
  const kind = (["major", "minor", "patch"] as const).find((each) => head.includes(`: ${each}`));
  if (kind === undefined) throw new Error(`${name} names no package with major, minor or patch`);
  texts[kind].push(`- ${text.trim().replaceAll("\n", "\n  ")}`);
}
if (Object.values(texts).every((list) => list.length === 0)) throw new Error(`there is no changeset in ${folder}`);

run("npx", "--no-install", "changeset", "version");
run("npm", "install", "--package-lock-only", "--no-audit", "--no-fund");
const { version } = JSON.parse(readFileSync("packages/cli/package.json", "utf8"));
const sections = Object.entries(texts)
  .filter(([, list]) => list.length > 0)
  .map(([kind, list]) => `### ${titles[kind as Kind]}\n\n${list.join("\n")}`);
const changelog = readFileSync("CHANGELOG.md", "utf8");
writeFileSync("CHANGELOG.md", changelog.replace(/^## /m, `## ${version}\n\n${sections.join("\n\n")}\n\n## `));
console.log(`The version is ${version}. Commit, then push the tag v${version} to publish it.`);

function run(command: string, ...args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: "inherit", timeout: 300_000 });
  if (status !== 0) process.exit(status ?? 1);
}
