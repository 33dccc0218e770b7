/** npm run bench -- NAME…: measures on this machine, prints a table, keeps the figures as JSON. */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";

const benches: Readonly<Record<string, () => Promise<unknown>>> = {
  align: async () => (await import("./align.ts")).benchAlign(),
  live: async () => (await import("./live.ts")).benchLive(),
  tts: async () => (await import("./tts.ts")).benchTts(),
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in benches));
if (names.length === 0 || unknown.length > 0) {
  if (unknown.length > 0) console.error(`no bench is called ${unknown.join(", ")}`);
  console.error(`usage: npm run bench -- ${Object.keys(benches).join(" | ")}`);
  process.exit(2);
}

for (const name of names) {
  const cores = cpus();
  const machine = `${cores.length} × ${cores[0]?.model ?? "unknown"} (${process.arch}), Node ${process.versions.node}`;
  console.log(`${name} on ${machine}\n`);
  const figures = await benches[name]?.();
  mkdirSync("bench/results", { recursive: true });
  const file = `bench/results/${name}.json`;
  writeFileSync(
    file,
    `${JSON.stringify({ bench: name, date: new Date().toISOString(), machine, figures }, null, 2)}\n`,
  );
  console.log(`\nfigures: ${file}`);
}
