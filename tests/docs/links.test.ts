import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, test } from "node:test";
import { ERROR_TABLE } from "@parlance/protocol";
import { filesBelow } from "../../scripts/files.ts";
import { anchorsOf, withoutCodeBlocks } from "./markdown.ts";

const pages = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", ...filesBelow("docs", ".md")];
const read = (page: string): string => readFileSync(page, "utf8");

const topFolders = ["packages", "docs", "tests", "bench", "training", "scripts", "deploy"];
/** Paths of ARCHITECTURE.md may begin at the repository, in a package, or in the sources of one. */
const roots = ["", "packages", ...readdirSync("packages").map((name) => `packages/${name}/src`)];

describe("the documentation", { timeout: 30_000 }, () => {
  for (const page of pages) {
    test(`the links of ${page} lead to files and headings that exist`, () => {
      for (const [, link = ""] of withoutCodeBlocks(read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(link)) continue;
        const [path = "", anchor] = link.split("#");
        const target = path === "" ? page : normalize(join(dirname(page), path));
        assert.ok(existsSync(target), `${page}: ${link}`);
        if (anchor !== undefined) assert.ok(anchorsOf(read(target)).has(anchor), `${page}: ${link}`);
      }
    });

    test(`the files and folders that ${page} names exist`, () => {
      for (const [, path = ""] of withoutCodeBlocks(read(page)).matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g)) {
        const inRepository = page === "ARCHITECTURE.md" || topFolders.some((folder) => path.startsWith(`${folder}/`));
        if (inRepository)
          assert.ok(
            roots.some((root) => existsSync(join(root, path))),
            `${page}: ${path}`,
          );
      }
    });
  }

  test("every page in docs/ is linked from the README", () => {
    for (const page of filesBelow("docs", ".md")) assert.ok(read("README.md").includes(`(${page})`), page);
  });

  test("the table of errors in docs/api.md has the codes and statuses of the service", () => {
    const rows = read("docs/api.md").matchAll(/^\| (\d{3}) +\| ((?:`\w+` ?)+)/gm);
    const documented = new Map<string, number>();
    for (const [, status, codes = ""] of rows)
      for (const [, code = ""] of codes.matchAll(/`(\w+)`/g)) documented.set(code, Number(status));
    const actual = new Map(Object.entries(ERROR_TABLE).map(([code, { status }]) => [code, status]));
    assert.deepEqual([...documented].sort(), [...actual].sort());
  });

  test("NOTICE names each folder of assets, and each library in the dashboard", () => {
    const notice = read("NOTICE");
    for (const asset of readdirSync("packages/speech/assets")) assert.ok(notice.includes(`assets/${asset}`), asset);
    const namesIn = (field: string, manifest: string): string[] => Object.keys(JSON.parse(read(manifest))[field]);
    const bundled = [
      ...namesIn("devDependencies", "packages/dashboard/package.json"),
      ...namesIn("dependencies", "packages/protocol/package.json"),
    ].filter((name) => !/^@types\/|^@parlance\/|^vite$/.test(name));
    const words = new Set(notice.split(/[\s,]+/));
    for (const name of bundled) assert.ok(words.has(name), name);
  });

  test("the glossary has at most forty entries, in alphabetical order", () => {
    const terms = [...read("docs/glossary.md").matchAll(/^\| ([a-z][\w -]*?) +\|/gm)].map(([, term]) => term);
    assert.ok(terms.length > 10 && terms.length <= 41, String(terms.length));
    const [head, ...rest] = terms;
    assert.equal(head, "term");
    assert.deepEqual(rest, rest.toSorted());
  });
});
