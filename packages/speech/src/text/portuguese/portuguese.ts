import { addressParts } from "../rules/addresses.ts";
import { readerFor } from "../rules/engine.ts";
import type { Grammar, RomanWords } from "../rules/grammar.ts";
import { leadSigns } from "../rules/lead-signs.ts";
import type { Language } from "../rules/reader.ts";
import { table, wordSet } from "../rules/rule.ts";
import { isRomanceWord } from "../rules/spelling.ts";
import { abbreviations } from "./abbreviations.ts";
import { datesOf, timesOf } from "./dates.ts";
import { fractionsOf, ordinals } from "./fractions.ts";
import { moneyOf } from "./money.ts";
import { numbersOf, ordinal, type PortugueseNumbers, type Region } from "./number-words.ts";
import { specialOf } from "./special.ts";
import { unitsOf } from "./units.ts";

/** Rulers and popes. Up to ten they have an ordinal, after that a cardinal: "Pedro segundo", "João vinte e três". */
const RULERS =
  wordSet(`Pedro João Maria Manuel Afonso Sancho Dinis Fernando Duarte Sebastião Henrique Filipe José Miguel Luís
  Carlos Isabel Elizabeth Paulo Pio Bento Leão Eduardo Jorge Ricardo Guilherme Jaime Alexandre Nicolau Napoleão Catarina Ivan
  Frederico Gregório Inocêncio Clemente Urbano Francisco Leopoldo Alberto Ramsés Ptolomeu Dario Xerxes Otão Gustavo Margarida
  Bonifácio Sisto Júlio Adriano Celestino Humberto Vítor Emanuel Teresa`);

const romanOf = ({ cardinal }: PortugueseNumbers): RomanWords => ({
  rulers: RULERS,
  ruler: (value, name) =>
    value <= 10 ? ordinal(String(value), /a$|^Isabel$|^Elizabeth$/.test(name) ? "f" : "m") : cardinal(String(value)),
  before:
    wordSet(`século séculos séc sécs capítulo cap tomo volume vol ato cena parte livro título seção secção artigo guerra fase
    tipo classe nível etapa anexo apêndice quadro figura congresso episódio temporada grupo unidade lição tema canto legião`),
  numbered: (value) => cardinal(String(value)),
  after: new Map([
    ...wordList("edição feira bienal cúpula olimpíada assembleia legislatura dinastia", "f"),
    ...wordList("congresso festival aniversário concurso encontro torneio simpósio fórum", "m"),
  ]),
});

const wordList = (words: string, gender: "m" | "f"): [string, (value: number) => string][] =>
  words.split(" ").map((word) => [word, (value) => ordinal(String(value), gender)]);

function grammarOf(region: Region): Grammar {
  const numbers = numbersOf(region);
  return {
    numbers,
    money: moneyOf(region),
    units: unitsOf(region),
    dates: datesOf(numbers),
    times: timesOf(numbers),
    fractions: fractionsOf(numbers),
    ordinals,
    abbreviations,
    roman: romanOf(numbers),
    special: specialOf(numbers),
    addresses: {
      signs: {
        ".": "ponto",
        "/": "barra",
        "\\": "barra invertida",
        "|": "barra vertical",
        "-": "hífen",
        _: "sublinhado",
        "@": "arroba",
        ":": "dois pontos",
        "~": "til",
        "+": "mais",
        "=": "igual",
        "&": "e",
        "?": "interrogação",
        "#": "cerquilha",
        "%": "por cento",
      },
      parts: addressParts(`
        gov: gov
        br: B.R
        pt: P.T`),
      pronounceable: isRomanceWord,
      hashtag: "hashtag",
      version: "versão",
    },
    phones: {
      extension: "extensão",
      extensionSigns: wordSet("ext"),
      spaced: /^(?:9\d{2} \d{3} \d{3}|2\d{2} \d{3} \d{3}|2\d \d{3} \d{4}|\d{2} 9?\d{4}[- ]\d{4}|0800 \d{3} \d{4})$/,
    },
    symbols: {
      always: table(`
        &: e
        @: arroba
        %: por cento
        ≠: é diferente de
        ≤: é menor ou igual a
        ≥: é maior ou igual a
        ≈: é aproximadamente
        ±: mais ou menos
        ÷: dividido por
        √: raiz quadrada de
        π: pi
        ∞: infinito
        °: graus
        §: parágrafo
        №: número
        €: euros
        $: dólares
        £: libras`),
      between: table(`
        +: mais
        -: menos
        −: menos
        =: igual a
        <: menor que
        >: maior que
        ×: vezes
        *: vezes
        x: por
        ÷: dividido por
        /: sobre
        ^: elevado a
        –: a`),
      leads: leadSigns({
        about: "aproximadamente",
        less: "menos de",
        more: "mais de",
        atMost: "no máximo",
        atLeast: "pelo menos",
        plusMinus: "mais ou menos",
      }),
      powers: { "²": "ao quadrado", "³": "ao cubo" },
    },
  };
}

const brazilian = readerFor(grammarOf("br"));
const european = readerFor(grammarOf("pt"));

/** Brazilian unless another region is named, as the voices are. */
export const portuguese: Language = {
  code: "pt",
  reader: (tag) => (/^pt-(?:pt|ao|mz)/.test(tag) ? european : brazilian),
};
