import { readFileSync } from "node:fs";
import { filesBelow } from "../../scripts/files.ts";
import { codeBlocks } from "./markdown.ts";

export interface ShellBlock {
  readonly page: string;
  readonly code: string;
}

/** Blocks that are not run as they are: by how they start, and why. Their commands and options are checked all the same. */
const notRun: Readonly<Record<string, string>> = {
  "docker build": "needs Docker; tests/deploy/image.test.ts",
  "sudo mkdir": "changes the system; tests/deploy/services.test.ts",
  "nats-server -a": "needs several machines; tests/cluster/",
  "export PARLANCE_BLOBS_URL": "needs a bucket; tests/blobs-command.test.ts",
  "export PARLANCE_PUBLIC_URL": "settings only; packages/server/src/routes/account/oidc.test.ts",
  "export PARLANCE_LLM_URL": "needs a language model; tests/third-party/conversation.test.ts",
  PARLANCE_PUBLIC_URL: "settings only; tests/deploy/proxies.test.ts",
  PARLANCE_VOICE_ALIASES: "settings only; tests/docs/foreign-voices.test.ts",
  "PARLANCE_PORT=9000": "does not end; packages/cli/src/serve.test.ts",
  "PARLANCE_WYOMING_PORT=10200": "does not end; packages/server/src/dialects/wyoming/wyoming.test.ts",
  "OTEL_EXPORTER_OTLP_ENDPOINT=": "does not end; tests/tracing.test.ts",
  "parlance models": "downloads models; packages/cli/src/models.test.ts",
  "PARLANCE_MODELS=./models": "downloads models; packages/cli/src/models.test.ts",
  "export PARLANCE_MODELS": "needs a copied folder; packages/cli/src/models.test.ts",
  "parlance doctor": "packages/cli/src/doctor.test.ts",
  "parlance backup": "the server must be stopped in between; packages/cli/src/backup.test.ts",
  "parlance restore": "the server must be stopped; packages/cli/src/backup.test.ts",
  "parlance say --voice SLUG": "has a placeholder",
  pg_dump: "programs of PostgreSQL",
};

/** The pages whose commands a reader pastes. */
export const commandPages = ["README.md", "CONTRIBUTING.md", ...filesBelow("docs", ".md")];

export function shellBlocks(page: string): readonly ShellBlock[] {
  return codeBlocks(readFileSync(page, "utf8")).flatMap(({ language, code }) =>
    language === "sh" ? [{ page, code }] : [],
  );
}

/** A block without lines that only npm can run: they install, test and measure. */
export const withoutNpm = (code: string): string => code.replace(/^npm .*$/gm, "").trim();

export function isRun({ code }: ShellBlock): boolean {
  const rest = withoutNpm(code);
  return rest !== "" && !Object.keys(notRun).some((start) => rest.startsWith(start));
}

/** Starts of blocks that no page has any more. */
export function unusedExceptions(): readonly string[] {
  const blocks = commandPages.flatMap(shellBlocks);
  return Object.keys(notRun).filter((start) => !blocks.some(({ code }) => withoutNpm(code).startsWith(start)));
}
