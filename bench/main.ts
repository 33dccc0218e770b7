/** npm run bench -- NAME…: measures on this machine, prints a table, saves the results as JSON. */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";

const given = process.argv.slice(2);
/** Arguments after the names, for benchmarks that take options. */
const options = given.slice(given.findIndex((word) => word.startsWith("--")) >>> 0);

const benches: Readonly<Record<string, () => Promise<unknown>>> = {
  abuse: async () => (await import("./abuse.ts")).benchAbuse(options),
  accounts: async () => (await import("./accounts.ts")).benchAccounts(),
  align: async () => (await import("./align.ts")).benchAlign(),
  clone: async () => (await import("./clone.ts")).benchClone(options),
  asr: async () => (await import("./asr.ts")).benchAsr(),
  cluster: async () => (await import("./cluster.ts")).benchCluster(options),
  conversation: async () => (await import("./conversation.ts")).benchConversation(options),
  dialects: async () => (await import("./dialects.ts")).benchDialects(),
  english: async () => (await import("./english.ts")).benchEnglish(options),
  faults: async () => (await import("./faults.ts")).benchFaults(options),
  kokoro: async () => (await import("./kokoro.ts")).benchKokoro(),
  languages: async () => (await import("./languages.ts")).benchLanguages(options),
  listen: async () => (await import("./listen.ts")).benchListen(options),
  load: async () => (await import("./load.ts")).benchLoad(options),
  live: async () => (await import("./live.ts")).benchLive(),
  namespaces: async () => (await import("./namespaces.ts")).benchNamespaces(options),
  peers: async () => (await import("./peers.ts")).benchPeers(options),
  reading: async () => (await import("./reading.ts")).benchReading(options),
  speakers: async () => (await import("./speakers.ts")).benchSpeakers(options),
  stages: async () => (await import("./stages.ts")).benchDefaultVoice(),
  upgrade: async () => (await import("./upgrade.ts")).benchUpgrade(options),
  versions: async () => (await import("./versions.ts")).benchVersions(options),
  tts: async () => (await import("./tts.ts")).benchTts(),
};

const names = given.slice(0, given.length - options.length);
const unknown = names.filter((name) => !(name in benches));
if (names.length === 0 || unknown.length > 0) {
  if (unknown.length > 0) console.error(`there is no benchmark named ${unknown.join(", ")}`);
  console.error(`usage: npm run bench -- ${Object.keys(benches).join(" | ")} [options]`);
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
