import type { FractionWords, NumberWords, OrdinalWords } from "../rules/grammar.ts";
import { ordinal } from "./number-words.ts";

/** Ordinals are parts up to ten and where they are one word; "avos" names the others. */
function partName(under: number, cardinal: (digits: string) => string): string {
  if (under === 2) return "meio";
  if (under === 3) return "terço";
  const simple = under <= 10 || under === 100 || under === 1000 || under === 1_000_000;
  return simple ? ordinal(String(under), "m") : `${cardinal(String(under))} avo`;
}

export const fractionsOf = ({ cardinal }: NumberWords): FractionWords => ({
  say: (over, under) => {
    const [top, bottom] = [Number(over), Number(under)];
    if (bottom < 2 || top === 0 || bottom > 1_000_000) return undefined;
    const name = partName(bottom, cardinal);
    return `${cardinal(over, "m")} ${name}${top === 1 && !name.endsWith(" avo") ? "" : "s"}`;
  },
  mixed: (whole, part) => `${cardinal(whole)} e ${part}`,
  laws: { before: /^(?:lei|decreto|portaria|resolução|medida|processo|nº|n\.º|n°)$/i, joint: "de" },
});

/** "1º", "2ª", "3.º", "1os". */
export const ordinals: OrdinalWords = {
  beforeDegrees:
    /^(?:a|de|faz|fazia|fazem|há|até|os|aos|dos|uns|entre|com|sobre|quase|são|tem|têm|atingiu|marcou|supera)$/i,
  pattern: /^(\d{1,3}(?:[.\u2009]?\d{3})*)\.?(º|°|ª|ᵒ|ᵃ|ºs|ªs|ᵒˢ|ᵃˢ|os|as|o|a)$/,
  say: (digits, ending) => {
    const plain = ending.normalize("NFKC").toLowerCase();
    if (/^[oa]$/.test(ending)) return undefined;
    return ordinal(digits, plain.startsWith("a") ? "f" : "m", plain.endsWith("s"));
  },
};
