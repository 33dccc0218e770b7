import {
  checkEmail,
  checkName,
  checkPassword,
  checkPlan,
  checkRole,
  PLAN_NAMES,
  ROLES,
  signInLink,
} from "@parlance/protocol/values";
import type { AccountChange, Config } from "@parlance/server/records";
import { type Command, Option } from "commander";
import type { Context } from "../context.ts";
import { printable } from "../printable.ts";
import { formatTable } from "../table.ts";

interface CreateOptions {
  readonly nickname?: string;
  readonly role: string;
  readonly plan: string;
  readonly password?: boolean;
}

const USER = "e-mail address or id";

export function addUsers(program: Command, context: Context): void {
  const users = program
    .command("users")
    .description("the accounts of the service: list, create, disable, passwords, plans, roles")
    .addHelpText(
      "after",
      `
Examples:
  parlance users list --search example.org
  parlance users create ada@example.org                       prints a one-time sign-in link
  parlance users create bob@example.org --plan pro --password asks for a password
  parlance users link ada@example.org                         a new link, for a user who cannot sign in
  parlance users link                                         a link for the first admin
  parlance users disable ada@example.org                      ends its sessions and running requests
  parlance users plan ada@example.org unlimited

They work on the database itself (PARLANCE_DATA or PARLANCE_DATABASE_URL), also while the service is running.`,
    );
  users
    .command("list")
    .description("list the accounts")
    .option("--search <text>", "part of an address or a name")
    .option("--json", "print JSON")
    .action((options: { search?: string; json?: boolean }) => list(options, context));
  users
    .command("create")
    .description("add an account")
    .argument("<email>", "the address to sign in with")
    .option("--nickname <name>", "the display name; by default the part before the @")
    .addOption(new Option("--role <role>", "the role").choices(ROLES).default("member"))
    .addOption(new Option("--plan <plan>", "the plan: credits and limits").choices(PLAN_NAMES).default("free"))
    .option("--password", "ask for a password, or read it from standard input, instead of creating a link")
    .action((email: string, options: CreateOptions) => create(email, options, context));
  const change = (name: string, description: string, disabled: boolean): void => {
    users
      .command(name)
      .description(description)
      .argument("<user>", USER)
      .action((user: string) => setDisabled(user, disabled, context));
  };
  change("disable", "disable an account: its keys, sessions and running requests end", true);
  change("enable", "enable a disabled account", false);
  users
    .command("passwd")
    .description("set a password, from a prompt or from standard input")
    .argument("<user>", USER)
    .action((user: string) => setPassword(user, context));
  users
    .command("link")
    .description("create a one-time sign-in link, valid for a day")
    .argument("[user]", `${USER}; by default the first admin`)
    .action((user: string | undefined) => link(user, context));
  users
    .command("email")
    .description("change the address to sign in with")
    .argument("<user>", USER)
    .argument("<email>", "the new address")
    .action((user: string, email: string) => set(user, () => ({ email: checkEmail(email) }), context));
  users
    .command("plan")
    .description(`set the plan: ${PLAN_NAMES.join(", ")}`)
    .argument("<user>", USER)
    .argument("<plan>", "the plan")
    .action((user: string, plan: string) => set(user, () => ({ plan: checkPlan(plan) }), context));
  users
    .command("role")
    .description(`set the role: ${ROLES.join(", ")}`)
    .argument("<user>", USER)
    .argument("<role>", "the role")
    .action((user: string, role: string) => set(user, () => ({ role: checkRole(role) }), context));
}

/** The list is bounded; --search narrows it. */
const MAX_LISTED = 10_000;

async function list(options: { search?: string; json?: boolean }, { environment, terminal }: Context): Promise<void> {
  const { withRecords } = await import("../database.ts");
  const { total, users } = await withRecords(environment, ({ accounts }) =>
    accounts.list({ search: options.search, offset: 0, limit: MAX_LISTED }),
  );
  if (options.json) {
    terminal.print(JSON.stringify(users, null, 2));
    return;
  }
  const rows = users.map(({ id, email, nickname, role, plan, disabledAt, createdAt }) => [
    printable(email ?? "-"),
    printable(nickname),
    role,
    plan,
    disabledAt === null ? "active" : "disabled",
    createdAt.slice(0, 10),
    id,
  ]);
  const [head = "", ...lines] = formatTable([["EMAIL", "NAME", "ROLE", "PLAN", "STATE", "SINCE", "ID"], ...rows]);
  terminal.print(terminal.resultStyle.bold(head));
  for (const line of lines) terminal.print(line);
  if (total > users.length) terminal.notify(`${total - users.length} more: --search finds them.`);
}

async function create(email: string, options: CreateOptions, context: Context): Promise<void> {
  const { environment, terminal } = context;
  const { withRecords } = await import("../database.ts");
  const { readPassword } = await import("../password-input.ts");
  await withRecords(environment, async ({ accounts, config, audit }) => {
    const address = checkEmail(email);
    const nickname = checkName(options.nickname ?? address.split("@", 1)[0] ?? address, "nickname");
    const [role, plan] = [checkRole(options.role), checkPlan(options.plan)];
    const password = options.password ? checkPassword(await readPassword("Password: "), "password") : undefined;
    const user = await accounts.create({ email: address, nickname, role, plan, password });
    await audit({ action: "user.created", target: { userId: user.id }, details: { role, plan } });
    terminal.notify(`Created ${address}, ${role}, plan ${plan}.`);
    if (password === undefined) await printLink(await accounts.createLink(user.id), config, context);
  });
}

async function setDisabled(name: string, disabled: boolean, { environment, terminal }: Context): Promise<void> {
  const { withRecords } = await import("../database.ts");
  await withRecords(environment, async ({ accounts, audit, findUser }) => {
    const user = await findUser(name);
    await accounts.change(user.id, { disabled });
    await audit({ action: "user.changed", target: { userId: user.id }, details: { disabled } });
    terminal.notify(`${printable(user.email ?? user.id)} is ${disabled ? "disabled" : "enabled"}.`);
  });
}

async function setPassword(name: string, { environment, terminal }: Context): Promise<void> {
  const { withRecords } = await import("../database.ts");
  const { readPassword } = await import("../password-input.ts");
  await withRecords(environment, async ({ accounts, audit, findUser }) => {
    const user = await findUser(name);
    const password = checkPassword(await readPassword("New password: "), "password");
    await accounts.change(user.id, { password });
    await audit({ action: "user.changed", target: { userId: user.id }, details: { password: "changed" } });
    terminal.notify(`${printable(user.email ?? user.id)} has a new password; its sessions have ended.`);
    if (user.email === null)
      terminal.notify(`To sign in, it needs an e-mail address: parlance users email ${user.id} EMAIL`);
  });
}

async function link(name: string | undefined, context: Context): Promise<void> {
  const { withRecords } = await import("../database.ts");
  await withRecords(context.environment, async ({ accounts, config, audit, findUser }) => {
    const { id: userId } = await findUser(name);
    const fresh = await accounts.createLink(userId);
    await audit({ action: "user.link-created", target: { userId } });
    await printLink(fresh, config, context);
  });
}

async function set(name: string, change: () => AccountChange, { environment, terminal }: Context): Promise<void> {
  const { withRecords } = await import("../database.ts");
  await withRecords(environment, async ({ accounts, audit, findUser }) => {
    const changes = change();
    const user = await accounts.change((await findUser(name)).id, changes);
    await audit({ action: "user.changed", target: { userId: user.id }, details: { ...changes } });
    terminal.notify(`${printable(user.email ?? user.id)}: ${user.role}, plan ${user.plan}.`);
  });
}

/** The link is the result; the rest is a message. */
async function printLink(
  fresh: { readonly token: string; readonly expiresAt: string },
  { publicUrl, host, port, data }: Config,
  { environment, terminal: { print, notify } }: Context,
): Promise<void> {
  const { readAddress, urlHost } = await import("@parlance/server/records");
  // The port of this shell's settings is a guess where it is not set: the server may have been started with another.
  const started = environment.PARLANCE_PORT === undefined ? await readAddress(data) : undefined;
  print(signInLink(publicUrl ?? started ?? `http://${urlHost(host)}:${port}`, fresh.token));
  notify(`Valid for one sign-in until ${fresh.expiresAt}; older links of this account no longer work.`);
  if (publicUrl === undefined) notify("If the service has another public address, set PARLANCE_PUBLIC_URL.");
}
