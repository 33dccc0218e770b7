import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/until.ts";

export const proxyNames = ["nginx", "caddy", "haproxy"] as const;
export type ProxyName = (typeof proxyNames)[number];

export interface ReverseProxy {
  readonly url: string;
  /** Its certificate, for clients to trust. */
  readonly ca: string;
  stop(): Promise<void>;
}

/** Debian keeps servers out of the PATH of ordinary users. */
const path = `${process.env.PATH}:/usr/sbin:/sbin`;

/** Why a proxy cannot be tested here; undefined when it can. */
export function proxyMissing(name: ProxyName): string | undefined {
  const missing = [name, "openssl"].filter(
    (program) => spawnSync("which", [program], { env: { PATH: path } }).status !== 0,
  );
  return missing.length === 0 ? undefined : `missing: apt-get install ${missing.join(" ")}`;
}

/** Runs a proxy with the configuration of deploy/, in which only addresses and paths are replaced. */
export async function startProxy(name: ProxyName, nodes: readonly [string, string]): Promise<ReverseProxy> {
  const folder = mkdtempSync(join(tmpdir(), `parlance-${name}-`));
  const certificate = makeCertificate(folder);
  const port = await freePort();
  const file = join(folder, "proxy.conf");
  const { config, args } = setups[name]({ folder, file, certificate, port, nodes });
  writeFileSync(file, config);
  const child = spawn(name, args, {
    env: { ...process.env, PATH: path, HOME: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const kill = (): boolean => child.kill("SIGKILL");
  process.once("exit", kill);
  await until(
    () => {
      if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}: ${output}`);
      return isListening(port);
    },
    { what: `${name} listens`, timeoutMs: 30_000, everyMs: 50 },
  );
  return {
    ca: readFileSync(certificate.crt, "utf8"),
    url: `https://127.0.0.1:${port}`,
    async stop() {
      child.kill("SIGTERM");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      process.off("exit", kill);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Setup {
  readonly folder: string;
  readonly file: string;
  readonly certificate: { readonly crt: string; readonly key: string; readonly pem: string };
  readonly port: number;
  readonly nodes: readonly [string, string];
}

const setups: Readonly<Record<ProxyName, (setup: Setup) => { config: string; args: string[] }>> = {
  nginx: ({ folder, file, certificate: { crt, key }, port, nodes: [first, second] }) => {
    const site = replaceAll(read("nginx.conf"), [
      [/^(.*)127\.0\.0\.1:8080(.*)$/m, `$1${first}$2\n$1${second}$2`],
      [/listen 443 ssl;/, `listen 127.0.0.1:${port} ssl;`],
      [/listen \[::\]:443 ssl;/, ""],
      [/\/etc\/letsencrypt\/\S+fullchain\.pem/, crt],
      [/\/etc\/letsencrypt\/\S+privkey\.pem/, key],
    ]);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    const user = process.getuid?.() === 0 ? "user root;" : "";
    const config = `${user} daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr;
      events { worker_connections 1024; }
      http { access_log off; ${temporary.join(" ")}\n${site}\n}`;
    return { config, args: ["-c", file, "-p", folder, "-e", "stderr"] };
  },
  caddy: ({ file, certificate: { crt, key }, port, nodes }) => {
    const site = replaceAll(read("Caddyfile"), [
      [/^voice\.example\.org \{$/m, `https://127.0.0.1:${port} {\n  bind 127.0.0.1\n  tls ${crt} ${key}`],
      [/127\.0\.0\.1:8080/, nodes.join(" ")],
    ]);
    return {
      config: `{\n  admin off\n  auto_https off\n}\n${site}`,
      args: ["run", "--adapter", "caddyfile", "--config", file],
    };
  },
  haproxy: ({ file, certificate: { pem }, port, nodes: [first, second] }) => {
    const config = replaceAll(read("haproxy.cfg"), [
      [/bind :443 ssl crt \S+/, `bind 127.0.0.1:${port} ssl crt ${pem}`],
      [/10\.0\.0\.11:8080/, first],
      [/10\.0\.0\.12:8080/, second],
    ]);
    return { config, args: ["-db", "-f", file] };
  },
};

function read(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url)), "utf8");
}

function replaceAll(text: string, replacements: readonly (readonly [RegExp, string])[]): string {
  return replacements.reduce((result, [pattern, value]) => {
    if (!pattern.test(result)) throw new Error(`the configuration does not contain ${pattern}`);
    return result.replace(pattern, value);
  }, text);
}

function makeCertificate(folder: string): Setup["certificate"] {
  const [crt, key, pem] = ["crt", "key", "pem"].map((ending) => join(folder, `certificate.${ending}`)) as [
    string,
    string,
    string,
  ];
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  const keyType = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  execFileSync("openssl", ["req", "-x509", ...keyType, ...subject, "-days", "2", "-keyout", key, "-out", crt], {
    stdio: "ignore",
  });
  writeFileSync(pem, readFileSync(crt, "utf8") + readFileSync(key, "utf8"), { mode: 0o600 });
  return { crt, key, pem };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
