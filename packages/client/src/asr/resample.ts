/** Zero crossings of the filter on each side: enough that aliasing is inaudible. */
const CROSSINGS = 16;
/** The pass band as a share of the new band. */
const ROLL_OFF = 0.92;

/**
 * Lowers the sample rate of a stream: a polyphase filter with a windowed sinc for each position that an output sample can
 * have between two input samples. The result has the length of the input, to within a sample, and no delay.
 */
export async function* resample(
  pieces: AsyncIterable<Float32Array>,
  from: number,
  to: number,
): AsyncGenerator<Float32Array, void, undefined> {
  if (from === to) {
    yield* pieces;
    return;
  }
  const common = greatestCommonDivisor(from, to);
  const [step, phases] = [from / common, to / common];
  const reach = Math.ceil((CROSSINGS * from) / to);
  const filters = Array.from({ length: phases }, (_, phase) => filterAt(phase / phases, reach, (ROLL_OFF * to) / from));

  // `held[0]` is input sample number `first`. The input is padded with silence on both sides.
  let held = new Float32Array(reach);
  let first = -reach;
  let produced = 0;
  let received = 0;
  const take = (piece: Float32Array): void => {
    const both = new Float32Array(held.length + piece.length);
    both.set(held);
    both.set(piece, held.length);
    held = both;
  };
  const produce = (until: number): Float32Array => {
    const out: number[] = [];
    for (; ; produced += 1) {
      const at = produced * step;
      const centre = Math.floor(at / phases);
      if (centre >= until || centre + reach >= first + held.length) break;
      const filter = filters[at % phases] ?? new Float32Array();
      const base = centre - reach + 1 - first;
      let sum = 0;
      for (let tap = 0; tap < filter.length; tap += 1) sum += (filter[tap] ?? 0) * (held[base + tap] ?? 0);
      out.push(sum);
    }
    const done = Math.max(0, Math.floor((produced * step) / phases) - reach - first);
    held = held.slice(done);
    first += done;
    return Float32Array.from(out);
  };
  for await (const piece of pieces) {
    received += piece.length;
    take(piece);
    yield produce(Number.POSITIVE_INFINITY);
  }
  take(new Float32Array(2 * reach));
  yield produce(received);
}

/** Taps for an output sample that lies `fraction` of the way from one input sample to the next. */
function filterAt(fraction: number, reach: number, cutoff: number): Float32Array {
  const taps = new Float32Array(2 * reach);
  let sum = 0;
  for (let tap = 0; tap < taps.length; tap += 1) {
    const distance = tap - reach + 1 - fraction;
    const x = Math.PI * distance * cutoff;
    const sinc = x === 0 ? 1 : Math.sin(x) / x;
    const window = Math.cos((Math.PI * distance) / (2 * (reach + 1))) ** 2;
    taps[tap] = sinc * window;
    sum += sinc * window;
  }
  return taps.map((value) => value / sum);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
