import { checkExpiry, checkName, KEY_SCOPES, type KeyLimits, parseScopes } from "@parlance/protocol/values";
import type { ApiKeyRecord } from "@parlance/server/records";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { UsageError } from "../errors.ts";
import { addLimitOptions, describeLimits, type LimitOptions, parseLimits } from "../keys/limit-options.ts";
import { printable } from "../printable.ts";
import { formatTable } from "../table.ts";

interface CreateOptions extends LimitOptions {
  readonly user?: string;
  readonly expires?: string;
  readonly scopes?: string;
}

export function addKeys(program: Command, context: Context): void {
  const keys = program
    .command("keys")
    .description("the API keys of the service: list, create, rename, limit, revoke")
    .addHelpText(
      "after",
      `
Examples:
  parlance keys list                                      keys of the first admin
  parlance keys list --user ada@example.org
  parlance keys create "build server" --expires 90d
  parlance keys create kiosk --scopes speak
  parlance keys create laptop --user ada@example.org --expires 2030-01-31
  parlance keys create kiosk --requests-per-minute 60 --credits-per-day 20000
  parlance keys limit 5d1e… --credits-total 100000        replaces the limits of a key; without options it has none
  parlance keys rename 5d1e… "old laptop"                 by the id that the list shows
  parlance keys revoke 5d1e…

They work on the database itself (PARLANCE_DATA or PARLANCE_DATABASE_URL), also while the service is running.`,
    );
  keys
    .command("list")
    .description("list the keys; the secrets are not stored")
    .option("-u, --user <user>", "e-mail address or id of the owner; by default the first admin")
    .option("--json", "print JSON")
    .action((options: { user?: string; json?: boolean }) => list(options, context));
  const creating = keys
    .command("create")
    .description("create a key and print it, once")
    .argument("<name>", "a name to recognize it by")
    .option("-u, --user <user>", "e-mail address or id of the owner; by default the first admin")
    .option("--expires <when>", "a day, a time or a number of days: 2030-01-31, 90d")
    .option("--scopes <scopes>", `what it may be used for, such as speak,listen: any of ${KEY_SCOPES.join(", ")}`)
    .action((name: string, options: CreateOptions) => create(name, options, context));
  addLimitOptions(creating);
  const limiting = keys
    .command("limit")
    .description("replace the key's own limits; without options it has none")
    .argument("<id>", "of the key")
    .action((id: string, options: LimitOptions) => limit(id, options, context));
  addLimitOptions(limiting);
  keys
    .command("rename")
    .description("give a key another name")
    .argument("<id>", "of the key")
    .argument("<name>", "the new name")
    .action((id: string, name: string) => rename(id, name, context));
  keys
    .command("revoke")
    .description("revoke a key for good")
    .argument("<id>", "of the key")
    .action((id: string) => revoke(id, context));
}

async function list(options: { user?: string; json?: boolean }, { environment, terminal }: Context): Promise<void> {
  const { withRecords } = await import("../database.ts");
  const keys = await withRecords(environment, async (records) =>
    records.keys.list((await records.findUser(options.user)).id),
  );
  if (options.json) {
    // The hash is not printed either.
    terminal.print(
      JSON.stringify(
        keys.map(({ hash: _hash, ...key }) => key),
        null,
        2,
      ),
    );
    return;
  }
  const rows = keys.map((key) => [
    printable(key.name),
    `${key.prefix}…`,
    stateOf(key),
    key.createdAt.slice(0, 10),
    key.lastUsedAt?.slice(0, 16).replace("T", " ") ?? "never",
    key.expiresAt?.slice(0, 16).replace("T", " ") ?? "never",
    describeLimits(key.limits),
    key.id,
  ]);
  const [head = "", ...lines] = formatTable([
    ["NAME", "KEY", "STATE", "CREATED", "USED", "EXPIRES", "LIMITS", "ID"],
    ...rows,
  ]);
  terminal.print(terminal.resultStyle.bold(head));
  for (const line of lines) terminal.print(line);
}

function stateOf({ revokedAt, expiresAt }: ApiKeyRecord): string {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= new Date().toISOString() ? "expired" : "active";
}

async function create(name: string, options: CreateOptions, { environment, terminal }: Context): Promise<void> {
  const scopes = options.scopes === undefined ? undefined : parseScopes(options.scopes.split(/[\s,]+/));
  if (options.scopes !== undefined && scopes === undefined) {
    throw new UsageError(
      `--scopes: "${printable(options.scopes)}" is not allowed, use any of ${KEY_SCOPES.join(", ")}`,
    );
  }
  const limits = parseLimits(options);
  const { withRecords } = await import("../database.ts");
  await withRecords(environment, async ({ keys, audit, findUser }) => {
    const expires = options.expires === undefined ? undefined : parseExpiry(options.expires, Date.now());
    const user = await findUser(options.user);
    const { secret, record } = await keys.create(user.id, checkName(name, "name"), expires, scopes, limits);
    const details = { owner: user.email ?? user.id, ...(scopes && { scopes }), ...(limits && { limits }) };
    await audit({ action: "key.created", target: { id: record.id, name: record.name }, details });
    terminal.print(secret);
    terminal.notify(
      `A key for ${printable(user.email ?? user.nickname)} with the id ${record.id}. It is only shown once.`,
    );
  });
}

/** "90d" from now, or a time. */
function parseExpiry(value: string, now: number): Date {
  const days = /^(\d{1,5})d$/.exec(value)?.[1];
  return days === undefined ? checkExpiry(value, now, "--expires") : new Date(now + Number(days) * 86_400_000);
}

async function rename(id: string, name: string, { environment, terminal }: Context): Promise<void> {
  const { withRecords } = await import("../database.ts");
  await withRecords(environment, async ({ store, keys, audit }) => {
    const key = await find(store.apiKeys, id);
    const changed = await keys.change(key.userId, id, { name: checkName(name, "name") });
    await audit({ action: "key.changed", target: { id, name: key.name }, details: { name: changed.name } });
    terminal.notify(`The key ${id} is now named ${printable(name)}.`);
  });
}

async function limit(id: string, options: LimitOptions, { environment, terminal }: Context): Promise<void> {
  const limits: KeyLimits | undefined = parseLimits(options);
  const { withRecords } = await import("../database.ts");
  await withRecords(environment, async ({ store, keys, audit }) => {
    const key = await find(store.apiKeys, id);
    await keys.change(key.userId, id, { limits });
    await audit({ action: "key.changed", target: { id, name: key.name }, details: { limits: limits ?? null } });
    terminal.notify(`The limits of the key ${printable(key.name)}: ${describeLimits(limits ?? null)}.`);
  });
}

async function revoke(id: string, { environment, terminal }: Context): Promise<void> {
  const { withRecords } = await import("../database.ts");
  await withRecords(environment, async ({ store, keys, audit }) => {
    const key = await find(store.apiKeys, id);
    const revoked = await keys.revoke(id);
    if (revoked) await audit({ action: "key.revoked", target: { id, name: key.name } });
    terminal.notify(`The key ${printable(key.name)} ${revoked ? "is revoked" : "was revoked before"}.`);
  });
}

async function find(
  apiKeys: { find(id: string): Promise<ApiKeyRecord | undefined> },
  id: string,
): Promise<ApiKeyRecord> {
  const key = await apiKeys.find(id);
  if (key === undefined) throw new UsageError(`there is no key with the id ${id}; parlance keys list shows the ids`);
  return key;
}
