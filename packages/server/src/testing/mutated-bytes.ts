import fc from "fast-check";

/** Changes a byte, cuts the end off, or leaves the bytes as they are. */
export function mutated(bytes: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> {
  return fc
    .tuple(bytes, fc.nat(), fc.nat(255), fc.constantFrom("change", "cut", "keep"))
    .map(([whole, at, value, how]) => {
      if (how === "keep" || whole.length === 0) return whole;
      if (how === "cut") return whole.subarray(0, at % whole.length);
      const changed = Buffer.from(whole);
      changed[at % changed.length] = value;
      return changed;
    });
}
