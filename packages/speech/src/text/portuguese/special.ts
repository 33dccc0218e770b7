import { SIGN_FRACTIONS } from "../rules/fractions.ts";
import type { NumberWords } from "../rules/grammar.ts";
import { joinedNext, type Rule, textAt, tokenAt } from "../rules/rule.ts";
import { nounGender } from "./nouns.ts";

/** Rules of Portuguese alone. */
export function specialOf({ cardinal, digits }: NumberWords): readonly Rule[] {
  /** "1/2 hora" is "meia hora". */
  const half: Rule = (place) => {
    const text = textAt(place, 0);
    const gender = (SIGN_FRACTIONS.get(text) ?? text) === "1/2" ? nounGender(joinedNext(place), false) : undefined;
    return gender === undefined ? undefined : [gender === "f" ? "meia" : "meio"];
  };

  /** "D. Pedro", "D. Maria". */
  const title: Rule = (place) => {
    const name = textAt(place, 1);
    if (textAt(place, 0) !== "D" || tokenAt(place, 0)?.after !== "." || !/^\p{Lu}\p{Ll}/u.test(name)) return undefined;
    return [/(?:a|Isabel|Inês|Beatriz)$/.test(name) ? "dona" : "dom"];
  };

  /** "15h da tarde": with the part of the day the hours are counted to twelve. */
  const afternoon: Rule = (place) => {
    const [, hour = "", minute, second] = /^(1[3-9]|2[0-3])(?:h|:)(\d{2})?(?::(\d{2}))?$/.exec(textAt(place, 0)) ?? [];
    const part = textAt(place, 2);
    const named = joinedNext(place) === "da" && (part === "tarde" ? Number(hour) < 19 : part === "noite");
    if (hour === "" || !named) return undefined;
    const hours = Number(hour) - 12;
    const said = `${cardinal(String(hours), "f")} ${hours === 1 ? "hora" : "horas"}`;
    if (minute === undefined || (Number(minute) === 0 && second === undefined)) return [said];
    if (second === undefined) return [`${said} e ${cardinal(minute)}`];
    return [`${said} e ${cardinal(minute)} minutos e ${cardinal(second)} segundos`];
  };
  /** "12.345.678/0001-95": the number of a company. */
  const company: Rule = (place) => {
    const text = textAt(place, 0);
    if (!/^\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}$/.test(text)) return undefined;
    return [text.split(/\D/).map(digits).join(", ")];
  };
  return [half, title, afternoon, company];
}
