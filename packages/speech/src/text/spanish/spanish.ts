import { addressParts } from "../rules/addresses.ts";
import { readerFor } from "../rules/engine.ts";
import type { Grammar } from "../rules/grammar.ts";
import { leadSigns } from "../rules/lead-signs.ts";
import type { Language } from "../rules/reader.ts";
import { table, wordSet } from "../rules/rule.ts";
import { isRomanceWord } from "../rules/spelling.ts";
import { abbreviations } from "./abbreviations.ts";
import { dates, times } from "./dates.ts";
import { fractions, ordinals } from "./fractions.ts";
import { money } from "./money.ts";
import { cardinal, numbers, ordinal } from "./number-words.ts";
import { special } from "./special.ts";
import { units } from "./units.ts";

/** Rulers and popes. Up to ten they have an ordinal, after that a cardinal: "Carlos quinto", "Alfonso trece". */
const RULERS =
  wordSet(`María Carlos Felipe Alfonso Fernando Isabel Juan Pablo Pío Benedicto León Luis Enrique Eduardo Jorge Ricardo
  Guillermo Jacobo Pedro Sancho Ramiro Jaime Alejandro Nicolás Napoleón Catalina Iván Federico Gregorio Inocencio Clemente
  Urbano Francisco José Leopoldo Alberto Balduino Ramsés Ptolomeo Darío Jerjes Otón Gustavo Haakon Olaf Margarita Mohamed
  Hassan Abderramán Bonifacio Sixto Julio Adriano Celestino Amenofis Humberto Víctor Manuel Paulo Bermudo Ordoño García`);

const grammar: Grammar = {
  numbers,
  money,
  units,
  dates,
  times,
  fractions,
  ordinals,
  abbreviations,
  special,
  roman: {
    rulers: RULERS,
    ruler: (value, name) =>
      value <= 10 ? ordinal(String(value), /a$|^Isabel$/.test(name) ? "f" : "m") : cardinal(String(value)),
    before:
      wordSet(`siglo siglos capítulo cap tomo volumen vol acto escena parte libro título sección artículo guerra fase
      tipo clase nivel etapa anexo apéndice cuadro figura edición congreso episodio temporada grupo unidad lección tema canto
      olimpiada legión`),
    numbered: (value) => cardinal(String(value)),
    after: new Map(
      "edición feria bienal cumbre olimpiada asamblea legislatura dinastía"
        .split(" ")
        .map((word) => [word, (value: number) => ordinal(String(value), "f")] as const)
        .concat(
          "congreso festival aniversario concurso encuentro certamen torneo simposio foro"
            .split(" ")
            .map((word) => [word, (value: number) => ordinal(String(value), "m")] as const),
        ),
    ),
  },
  addresses: {
    signs: {
      ".": "punto",
      "/": "barra",
      "\\": "barra invertida",
      "|": "barra vertical",
      "-": "guion",
      _: "guion bajo",
      "@": "arroba",
      ":": "dos puntos",
      "~": "virgulilla",
      "+": "más",
      "=": "igual",
      "&": "y",
      "?": "interrogación",
      "#": "almohadilla",
      "%": "por ciento",
    },
    parts: addressParts(`
      gob: gob
      es: E.S
      me: M.E`),
    pronounceable: isRomanceWord,
    hashtag: "almohadilla",
    version: "versión",
  },
  phones: {
    extension: "extensión",
    extensionSigns: wordSet("ext extensión int"),
    spaced:
      /^(?:[679]\d{2} \d{3} \d{3}|[679]\d{2} \d{2} \d{2} \d{2}|9\d \d{3} \d{2} \d{2}|9\d \d{3} \d{4}|\d{3} \d{3} \d{4}|\d{2} \d{4} \d{4})$/,
  },
  symbols: {
    always: table(`
      &: y
      @: arroba
      %: por ciento
      ≠: es distinto de
      ≤: es menor o igual que
      ≥: es mayor o igual que
      ≈: es aproximadamente
      ±: más menos
      ÷: dividido entre
      √: raíz cuadrada de
      π: pi
      ∞: infinito
      °: grados
      §: sección
      №: número
      €: euros
      $: dólares
      £: libras`),
    between: table(`
      +: más
      -: menos
      −: menos
      =: igual a
      <: menor que
      >: mayor que
      ×: por
      *: por
      x: por
      ÷: entre
      /: entre
      ^: elevado a
      –: a`),
    leads: leadSigns({
      about: "aproximadamente",
      less: "menos de",
      more: "más de",
      atMost: "como máximo",
      atLeast: "al menos",
      plusMinus: "más menos",
    }),
    powers: { "²": "al cuadrado", "³": "al cubo" },
  },
};

const reader = readerFor(grammar);

export const spanish: Language = { code: "es", reader: () => reader };
