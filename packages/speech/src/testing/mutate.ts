/** Damages files at random, reproducibly by seed. */
export function createMutator(seed: number): (file: Uint8Array, other: Uint8Array) => Buffer {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const randomBytes = (length: number) => Buffer.from(Array.from({ length }, () => below(256)));
  /** Half of the damage is done to headers, which parsers trust. */
  const place = (length: number) => below(below(2) === 0 ? Math.min(length, 512) : length);

  const kinds: readonly ((file: Buffer, other: Uint8Array) => Buffer)[] = [
    (file) => {
      for (let i = 0; i <= below(8); i++) file[place(file.length)] = below(256);
      return file;
    },
    (file) => {
      const at = place(file.length);
      file[at] = (file[at] ?? 0) ^ (1 << below(8));
      return file;
    },
    (file) => {
      const at = place(file.length);
      return file.fill([0, 0x7f, 0x80, 0xff][below(4)] ?? 0, at, at + 1 + below(8));
    },
    (file) => {
      const at = place(file.length);
      randomBytes(1 + below(200)).copy(file, at);
      return file;
    },
    (file) => file.subarray(0, place(file.length)),
    (file) => file.subarray(place(file.length)),
    (file) => {
      const at = place(file.length);
      return Buffer.concat([file.subarray(0, at), randomBytes(below(300)), file.subarray(at)]);
    },
    (file) => {
      const at = place(file.length);
      return Buffer.concat([file.subarray(0, at), file.subarray(at + 1 + below(2000))]);
    },
    (file) => {
      const from = place(file.length);
      const piece = file.subarray(from, from + below(3000));
      const at = place(file.length);
      return Buffer.concat([file.subarray(0, at), piece, piece, file.subarray(at)]);
    },
    (file, other) => Buffer.concat([file.subarray(0, place(file.length)), other.subarray(place(other.length))]),
  ];

  return (file, other) => {
    let damaged: Buffer = Buffer.from(file);
    for (let rounds = 0; rounds <= below(3); rounds++) {
      const kind = kinds[below(kinds.length)];
      if (kind && damaged.length > 0) damaged = Buffer.from(kind(damaged, other));
    }
    return damaged;
  };
}
