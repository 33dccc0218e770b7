import type { Command } from "commander";
import type { Context } from "../context.ts";
import { interruptible } from "../interrupt.ts";
import type { ServerOptions } from "../voices/connect.ts";

export function addMcp(program: Command, context: Context): void {
  program
    .command("mcp")
    .description(
      "serve the tools speak, transcribe and list_voices to a language model, over standard input and output",
    )
    .option("--server <url>", "the server that speaks and listens (PARLANCE_URL)")
    .option("--key <key>", "its API key (better: PARLANCE_API_KEY, which others cannot see)")
    .addHelpText(
      "after",
      `
Programs such as Claude Desktop start this command and use its tools (Model Context Protocol, stdio).
The tools read and write files of this machine that the program names.

Example, as an entry of "mcpServers" in the settings of such a program:
  "parlance": {
    "command": "parlance",
    "args": ["mcp"],
    "env": { "PARLANCE_URL": "http://127.0.0.1:8080", "PARLANCE_API_KEY": "…" }
  }`,
    )
    .action((options: ServerOptions) =>
      interruptible(async (signal) => (await import("../mcp/run.ts")).serveTools(options, context, signal)),
    );
}
