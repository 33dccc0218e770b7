/** The part of Kaldi's binary formats that an x-vector network needs. */

export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  /** Row by row. A vector has one column. */
  readonly values: Float32Array;
}

/** The parts of a network in Kaldi's nnet3 format, by name. */
export function readComponents(file: Uint8Array): ReadonlyMap<string, Component> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  const mark = "<ComponentName> ";
  const starts: number[] = [];
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) starts.push(at);
  return new Map(
    starts.map((start, index) => {
      const body = bytes.subarray(start + mark.length, starts[index + 1] ?? bytes.length);
      return [body.toString("latin1", 0, body.indexOf(" ")), componentOf(body)] as const;
    }),
  );
}

export interface Component {
  /** By the label before it: "LinearParams". */
  matrix(label: string): Matrix;
  number(label: string): number;
}

function componentOf(bytes: Buffer): Component {
  const after = (label: string): number => {
    const at = bytes.indexOf(`<${label}> `);
    if (at < 0) throw new Error(`the network has no <${label}>`);
    return at + label.length + 3;
  };
  return {
    matrix: (label) => readMatrix(bytes, after(label)),
    number(label) {
      const at = after(label);
      if (bytes[at] !== 4) throw new Error(`<${label}> is not a single number`);
      return bytes.readFloatLE(at + 1);
    },
  };
}

/** A file that is one matrix: binary, or text in brackets. */
export function readMatrixFile(file: Uint8Array): Matrix {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  if (bytes[0] === 0 && bytes[1] === 0x42) return readMatrix(bytes, 2);
  const lines = bytes.toString("latin1").replace(/[[\]]/g, " ").trim().split(/\n+/);
  const rows = lines.map((line) => line.trim().split(/\s+/).map(Number));
  const values = Float32Array.from(rows.flat());
  if (values.some(Number.isNaN)) throw new Error("not a Kaldi matrix: it contains something that is no number");
  return rows.length === 1
    ? { rows: values.length, columns: 1, values }
    : { rows: rows.length, columns: values.length / rows.length, values };
}

/** "FM " or "FV ", then each size as a byte 4 and four bytes, then floats. */
function readMatrix(bytes: Buffer, at: number): Matrix {
  const kind = bytes.toString("latin1", at, at + 3);
  if (kind !== "FM " && kind !== "FV ") throw new Error(`not a matrix of floats: ${JSON.stringify(kind)}`);
  const rows = bytes.readInt32LE(at + 4);
  const columns = kind === "FM " ? bytes.readInt32LE(at + 9) : 1;
  const start = at + (kind === "FM " ? 13 : 8);
  const end = start + rows * columns * 4;
  if (rows < 0 || columns < 0 || end > bytes.length) throw new Error("damaged: a matrix runs past the end of the file");
  return { rows, columns, values: new Float32Array(new Uint8Array(bytes.subarray(start, end)).buffer) };
}
