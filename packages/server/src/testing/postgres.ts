import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { type Host, LOOPBACK } from "../../../../tests/support/host.ts";
import { until } from "./until.ts";

/** Why there is no PostgreSQL to test with; undefined when there is one. */
export const postgresMissing: string | undefined =
  process.env.PARLANCE_TEST_POSTGRES || binaries() ? undefined : "no PostgreSQL: apt-get install postgresql";

export interface PostgresServer {
  /** The address of its maintenance database. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
  /** Kills it with SIGKILL and starts it again with the same data. */
  crash(): Promise<void>;
}

const START_MS = 30_000;

export interface PostgresOptions {
  /** Syncs to the disk, for measurements. */
  readonly syncs?: boolean;
  readonly host?: Host;
}

/** Starts a PostgreSQL server with an empty data folder. */
export async function startPostgres({ syncs = false, host = LOOPBACK }: PostgresOptions = {}): Promise<PostgresServer> {
  const bin = binaries();
  if (bin === undefined) throw new Error(postgresMissing);
  const folder = mkdtempSync(join(tmpdir(), "parlance-postgres-"));
  const user = unprivilegedUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const initdb = spawnSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "parlance", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
    { ...user, cwd: folder, encoding: "utf8" },
  );
  if (initdb.status !== 0) throw new Error(`initdb failed: ${initdb.stderr}`);
  appendFileSync(join(data, "pg_hba.conf"), `host all all ${host.address}/24 trust\n`);
  const settings = [...(syncs ? [] : ["-F"]), "-c", "max_connections=300"];
  const launch = (port: number): ChildProcess => {
    const args = ["-D", data, "-p", String(port), "-h", host.address, "-k", folder, ...settings];
    const own = { cwd: folder, stdio: "ignore" } as const;
    const [enter, ...entered] = host.command;
    if (enter === undefined) return spawn(join(bin, "postgres"), args, { ...own, ...user });
    // Only root enters another namespace, so the user changes after that.
    return spawn(enter, [...entered, ...asUser(user), join(bin, "postgres"), ...args], own);
  };
  const urlOf = (port: number): string => `postgres://parlance@${host.address}:${port}/postgres`;
  let port = host.port ?? (await freePort());
  let server = launch(port);
  // The server ends with this process.
  const kill = () => server.kill("SIGQUIT");
  process.once("exit", kill);
  for (let tries = 0; ; tries += 1) {
    try {
      await untilItAnswers(urlOf(port), server);
      break;
    } catch (error) {
      // The port may have been taken in the meantime; then the server exits at once.
      if (tries === 5 || server.exitCode === null) throw error;
      port = host.port ?? (await freePort());
      server = launch(port);
    }
  }
  const url = urlOf(port);
  return {
    url,
    get pid() {
      return server.pid ?? 0;
    },
    async stop() {
      process.removeListener("exit", kill);
      const exited = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGINT");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
    async crash() {
      const exited = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGKILL");
      await exited;
      // It refuses to start while one of its old processes is still running.
      const restart = (): Promise<boolean> => {
        server = launch(port);
        return untilItAnswers(url, server).then(
          () => true,
          () => false,
        );
      };
      await until(restart, { what: "PostgreSQL answers after its crash", everyMs: 100 });
    },
  };
}

async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  const answers = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return true;
    } catch (error) {
      if (server.exitCode !== null) throw error;
      return false;
    } finally {
      await client.end().catch(() => {});
    }
  };
  await until(answers, { what: "PostgreSQL answers", timeoutMs: START_MS, everyMs: 50 });
}

/** Debian keeps the server's programs out of the PATH. */
function binaries(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, "bin")), ...(process.env.PATH ?? "").split(":")];
  return folders.find((folder) => ["initdb", "postgres"].every((program) => existsSync(join(folder, program))));
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

function asUser(user: { uid: number; gid: number } | undefined): readonly string[] {
  return user ? ["setpriv", `--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"] : [];
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
