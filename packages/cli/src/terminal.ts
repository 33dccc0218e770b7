import { Interruption } from "./errors.ts";

export interface Style {
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  bold(text: string): string;
  dim(text: string): string;
}

/** Results go to standard output, so that they can be piped; messages go to standard error. */
export interface Terminal {
  /** A line of the result. */
  print(line: string): void;
  /** A part of the result, without a line break. */
  write(text: string): void;
  /** The width of the terminal that shows the results; undefined where lines cannot be written again. */
  readonly columns: number | undefined;
  /** A line of a message. */
  notify(line: string): void;
  /** For messages. Results are styled only when standard output is a terminal. */
  readonly style: Style;
  readonly resultStyle: Style;
  /** Sets the exit code without an error: the reason has been printed. */
  failWith(code: number): void;
  exitCode(): number;
}

/** Where a run of the command line writes: the standard streams, or what a test collects. */
export interface Output {
  readonly stdout: Pick<NodeJS.WriteStream, "isTTY"> & { readonly columns?: number; write(text: string): unknown };
  readonly stderr: Pick<NodeJS.WriteStream, "isTTY"> & { write(text: string): unknown };
}

export function createTerminal(environment: NodeJS.ProcessEnv, { stdout, stderr }: Output = process): Terminal {
  let code = 0;
  // `parlance voices | head`: the reader has closed the pipe.
  if (stdout === process.stdout) {
    process.stdout.on("error", (error) => {
      if ("code" in error && error.code === "EPIPE") process.exit(new Interruption("SIGPIPE").exitCode);
      throw error;
    });
  }
  const useColor = !environment.NO_COLOR && environment.TERM !== "dumb";
  return {
    print: (line) => void stdout.write(`${line}\n`),
    write: (text) => void stdout.write(text),
    get columns() {
      return stdout.isTTY && environment.TERM !== "dumb" ? stdout.columns || 80 : undefined;
    },
    notify: (line) => void stderr.write(`${line}\n`),
    style: createStyle(useColor && stderr.isTTY),
    resultStyle: createStyle(useColor && stdout.isTTY),
    failWith: (failure) => {
      code = failure;
    },
    exitCode: () => code,
  };
}

function createStyle(color: boolean): Style {
  const wrap = (open: number, close: number) => (text: string) =>
    color ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return { red: wrap(31, 39), green: wrap(32, 39), yellow: wrap(33, 39), bold: wrap(1, 22), dim: wrap(2, 22) };
}
