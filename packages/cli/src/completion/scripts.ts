/** What can be completed after the words of a command. */
export interface CommandWords {
  /** "" for the program itself, "users create" for a subcommand. */
  readonly path: string;
  readonly description: string;
  readonly commands: readonly string[];
  readonly options: readonly OptionWords[];
}

export interface OptionWords {
  readonly flags: readonly string[];
  readonly description: string;
  /** The values that it takes, if they are known. */
  readonly values: readonly string[];
}

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

export function completionScript(shell: Shell, commands: readonly CommandWords[]): string {
  if (shell === "fish") return fishScript(commands);
  const script = bashScript(commands);
  return shell === "bash" ? script : `#compdef parlance\nautoload -U +X bashcompinit && bashcompinit\n${script}`;
}

/** Zsh runs it too. */
function bashScript(commands: readonly CommandWords[]): string {
  const paths = commands.filter(({ path }) => path !== "").map(({ path }) => quote(path));
  const words = commands.map(({ path, commands: names, options }) => {
    const all = [...names, ...options.flatMap(({ flags }) => flags)].join(" ");
    return `    ${quote(path)}) words=${quote(all)} ;;`;
  });
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter((option) => option.values.length > 0)
      .flatMap((option) =>
        option.flags.map((flag) => `    ${quote(`${path} ${flag}`)}) words=${quote(option.values.join(" "))} ;;`),
      ),
  );
  return `_parlance() {
  local word words="" path="" next
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    case "$next" in
      ${paths.join("|")}) path="$next" ;;
    esac
  done
  case "$path" in
${words.join("\n")}
  esac
  case "$path $previous" in
${values.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _parlance parlance`;
}

function fishScript(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ path, commands: names, options }) => {
    const seen = path
      .split(" ")
      .filter(Boolean)
      .map((word) => `__fish_seen_subcommand_from ${word}`);
    const unseen = names.length > 0 ? [`not __fish_seen_subcommand_from ${names.join(" ")}`] : [];
    const condition = `-n ${quote([...seen, ...unseen].join("; and ") || "true")}`;
    const describe = (name: string) =>
      commands.find((each) => each.path === `${path} ${name}`.trim())?.description ?? "";
    return [
      ...names.map((name) => `complete -c parlance -f ${condition} -a ${name} -d ${quote(describe(name))}`),
      ...options.map(({ flags, description, values }) => {
        const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
        const taken = values.length > 0 ? ` -x -a ${quote(values.join(" "))}` : "";
        return `complete -c parlance ${condition} ${names.join(" ")} -d ${quote(description)}${taken}`;
      }),
    ];
  });
  return lines.join("\n");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
