import { Argument, type Command } from "commander";
import { type CommandWords, completionScript, SHELLS, type Shell } from "../completion/scripts.ts";
import type { Context } from "../context.ts";

export function addCompletion(program: Command, { terminal }: Context): void {
  program
    .command("completion")
    .description("print a script that completes commands and options in a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .addHelpText(
      "after",
      `
Examples:
  parlance completion bash > ~/.local/share/bash-completion/completions/parlance
  parlance completion zsh > "\${fpath[1]}/_parlance"
  parlance completion fish > ~/.config/fish/completions/parlance.fish`,
    )
    .action((shell: Shell) => terminal.print(completionScript(shell, wordsOf(program, ""))));
}

function wordsOf(command: Command, path: string): CommandWords[] {
  const help = { flags: ["-h", "--help"], description: "print help", values: [] };
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ short, long, description, argChoices }) => ({
      flags: [short, long].filter((flag) => flag !== undefined && flag !== null),
      description,
      values: argChoices ?? [],
    }));
  const own = {
    path,
    description: command.description(),
    commands: command.commands.map((each) => each.name()),
    options: [...options, help],
  };
  return [own, ...command.commands.flatMap((each) => wordsOf(each, `${path} ${each.name()}`.trim()))];
}
