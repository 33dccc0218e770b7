import type { SubscriptionInput } from "@parlance/protocol";
import type { LedgerRecord, Wallets } from "@parlance/server/records";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import type { Records } from "../database.ts";
import { UsageError } from "../errors.ts";
import { printable } from "../printable.ts";
import { formatTable } from "../table.ts";

interface GrantOptions {
  readonly note?: string;
  readonly key?: string;
}

interface LedgerOptions {
  readonly before?: string;
  readonly limit: string;
  readonly json?: boolean;
}

export function addWallet(program: Command, context: Context): void {
  const wallet = program
    .command("wallet")
    .description("credits of the accounts: show, grant, ledger, subscription")
    .addHelpText(
      "after",
      `
Examples:
  parlance wallet show ada@example.org
  parlance wallet grant ada@example.org 50000 --note "conference" --key conference-2026
  parlance wallet grant ada@example.org -- -1000          take credits back
  parlance wallet ledger ada@example.org --limit 20
  parlance wallet subscription ada@example.org '{"plan":"pro","provider_subscription_id":"sub_1"}'

They work on the database itself (PARLANCE_DATA or PARLANCE_DATABASE_URL), also while the service is running.`,
    );
  const USER = "e-mail address or id";
  wallet
    .command("show")
    .description("show the credits of an account")
    .argument("<user>", USER)
    .option("--json", "print JSON, as the API does")
    .action((user: string, options: { json?: boolean }) => show(user, options.json === true, context));
  wallet
    .command("grant")
    .description("grant extra credits, which do not expire")
    .argument("<user>", USER)
    .argument("<credits>", "the number of credits; negative to take back")
    .option("--note <text>", "the reason")
    .option("--key <key>", "an idempotency key: grants with the same key are made once")
    .action((user: string, credits: string, options: GrantOptions) => grant(user, credits, options, context));
  wallet
    .command("ledger")
    .description("list all changes of the credits, the newest first")
    .argument("<user>", USER)
    .option("--before <number>", "only entries before this one")
    .option("--limit <count>", "the number of entries", "50")
    .option("--json", "print JSON, as the API does")
    .action((user: string, options: LedgerOptions) => ledger(user, options, context));
  wallet
    .command("subscription")
    .description("store what a payment provider reports about an account; all fields are replaced")
    .argument("<user>", USER)
    .argument("<json>", "the fields, as the API takes them")
    .action((user: string, json: string) => subscription(user, json, context));
}

/** Calls `work` with the wallets and the id of the user. */
async function withWallet(
  user: string,
  { environment }: Context,
  work: (wallets: Wallets, userId: string, audit: Records["audit"]) => Promise<void>,
): Promise<void> {
  const { withRecords } = await import("../database.ts");
  const { createWalletService, plansOf } = await import("@parlance/server/records");
  await withRecords(environment, async ({ store, config, audit, findUser }: Records) =>
    work(createWalletService(store, plansOf(config)), (await findUser(user)).id, audit),
  );
}

function show(user: string, json: boolean, context: Context): Promise<void> {
  const { terminal } = context;
  return withWallet(user, context, async (wallets, userId) => {
    const { toPackage } = await import("@parlance/server/records");
    const record = toPackage(await wallets.view(userId));
    if (json) {
      terminal.print(JSON.stringify(record, null, 2));
      return;
    }
    const rows = [
      ["user", record.user_id],
      ["plan", record.type],
      ["package", `${record.balance} of ${record.total} credits`],
      ["extra", `${record.extra_balance} credits`],
      ["until", record.finished_at],
      ...(record.provider_subscription_id === null
        ? []
        : [["subscription", printable(record.provider_subscription_id)]]),
    ];
    for (const line of formatTable(rows)) terminal.print(line);
  });
}

function grant(user: string, credits: string, options: GrantOptions, context: Context): Promise<void> {
  const amount = /^-?\d{1,15}$/.test(credits) ? Number(credits) : Number.NaN;
  if (Number.isNaN(amount)) throw new UsageError(`credits: ${credits} is not a whole number`);
  return withWallet(user, context, async (wallets, userId, audit) => {
    const { note, key } = options;
    const { created, wallet } = await wallets.grant(userId, { amount, note, key, by: "operator" });
    const details = { amount, ...(note === undefined ? {} : { note }) };
    if (created) await audit({ action: "credits.granted", target: { userId }, details });
    context.terminal.print(String(wallet.extra));
    const done = created ? `${amount} credits were granted` : "This grant was made before, nothing was changed";
    context.terminal.notify(`${done}. Extra credits now: ${wallet.extra}.`);
  });
}

function ledger(user: string, options: LedgerOptions, context: Context): Promise<void> {
  const limit = toCount(options.limit, "--limit", 10_000);
  const before = options.before === undefined ? undefined : toCount(options.before, "--before", 1e15);
  const { terminal } = context;
  return withWallet(user, context, async (wallets, userId) => {
    const { toEntry } = await import("@parlance/server/records");
    const { entries, hasMore } = await wallets.ledger(userId, { before, limit });
    if (options.json) {
      terminal.print(JSON.stringify({ items: entries.map(toEntry), has_more: hasMore }, null, 2));
      return;
    }
    const head = ["NUMBER", "TIME", "KIND", "BUCKET", "CREDITS", "NOTE", "REQUEST"];
    const [first = "", ...lines] = formatTable([head, ...entries.map(rowOf)]);
    terminal.print(terminal.resultStyle.bold(first));
    for (const line of lines) terminal.print(line);
    if (hasMore) terminal.notify(`More entries: --before ${entries.at(-1)?.number}`);
  });
}

function rowOf({ number, at, kind, bucket, amount, note, requestId }: LedgerRecord): readonly string[] {
  const signed = amount > 0 ? `+${amount}` : String(amount);
  return [
    String(number),
    at.slice(0, 19).replace("T", " "),
    kind,
    bucket,
    signed,
    printable(note ?? ""),
    printable(requestId),
  ];
}

function subscription(user: string, json: string, context: Context): Promise<void> {
  return withWallet(user, context, async (wallets, userId, audit) => {
    const { toPackage, toSubscription } = await import("@parlance/server/records");
    const view = await wallets.setSubscription(userId, toSubscription(await parseFields(json)));
    await audit({ action: "subscription.changed", target: { userId }, details: { plan: view.wallet.plan } });
    context.terminal.print(JSON.stringify(toPackage(view), null, 2));
  });
}

async function parseFields(json: string): Promise<SubscriptionInput> {
  const { parseShape, subscriptionBody } = await import("@parlance/protocol");
  try {
    return parseShape(subscriptionBody.strict(), JSON.parse(json), "body");
  } catch (error) {
    throw new UsageError(`the fields cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function toCount(value: string, option: string, max: number): number {
  const count = /^\d{1,15}$/.test(value) ? Number(value) : 0;
  if (count >= 1 && count <= max) return count;
  throw new UsageError(`${option}: ${value} is not a whole number from 1 to ${max}`);
}
