import { joinedPrevious, type Place, type Rule, textAt, tokenAt, wordSet } from "../rules/rule.ts";
import { ENGLISH_ORDINALS, letterNames } from "./letters.ts";
import { digitByDigit } from "./number-words.ts";

/** Parts of postal addresses. Words that texts use for other things as well, such as "नगर", are not among them. */
const ADDRESS_WORDS = wordSet(`स्ट्रीट एवेन्यू रोड लेन मार्ग फ्लोर फ़्लोर फ्लैट फ़्लैट अपार्टमेंट सेक्टर ब्लॉक प्लॉट शॉप दुकान मकान
  बिल्डिंग टाउन टावर हाउस फेज फेज़ प्लाज़ा प्लाजा कॉलोनी सोसाइटी बुलेवार्ड ड्राइव हाईवे क्रॉस गली मोहल्ला चौक street road avenue lane floor
  flat apartment sector block plot`);
/** A number is not part of an address that lies behind one of these. */
const SENTENCE_WORDS =
  wordSet(`में पर के की का से को ने तक है हैं था थी थीं थे हो गया गई गए कि लोग रुपए रुपये मीटर किलोमीटर लंबा लंबी लंबे चौड़ा
  चौड़ी चौड़े साल वर्ष दिन घंटे मिनट बजे प्रतिशत`);
const NEAR = 4;

function hasAddressWord(place: Place, step: 1 | -1): boolean {
  for (let distance = 1; distance <= NEAR; distance++) {
    const token = tokenAt(place, step * distance);
    if (token === undefined || SENTENCE_WORDS.has(token.text)) return false;
    if (ADDRESS_WORDS.has(token.text.toLowerCase())) return true;
  }
  return false;
}

const isNearAddressWord = (place: Place): boolean => hasAddressWord(place, 1) || hasAddressWord(place, -1);

/** "32A", "66-4", "14/3": house numbers, digit by digit. */
function houseNumber(text: string): string {
  return (text.match(/\d+|[A-Za-z]+|[-/]/g) ?? [])
    .map((part) =>
      /\d/.test(part) ? digitByDigit(part) : part === "-" ? "हाइफ़न" : part === "/" ? "बटा" : letterNames(part),
    )
    .join(" ");
}

const inAddress: Rule = (place) => {
  const text = textAt(place, 0);
  if (!/^\d{1,6}[A-Za-z]?(?:[-/]\d{1,5}[A-Za-z]?)?$/.test(text) || !isNearAddressWord(place)) return undefined;
  return [houseNumber(text)];
};

/** "1st फ्लोर": English ordinals are said in English. */
const englishOrdinal: Rule = (place) => {
  const [, digits = ""] = /^(\d{1,2})(?:st|nd|rd|th)$/i.exec(textAt(place, 0)) ?? [];
  const said = ENGLISH_ORDINALS.get(digits);
  return said === undefined ? undefined : [said];
};

/** A word with a hyphen inside an address: "ट्रॉय-शेंक्टाडी रोड". */
const hyphenatedName: Rule = (place) => {
  const text = textAt(place, 0);
  if (!/^[\p{L}\p{M}]+-[\p{L}\p{M}]+$/u.test(text)) return undefined;
  const behindNumber = /^\d+$/.test(joinedPrevious(place));
  return behindNumber && hasAddressWord(place, 1) ? [text.replace("-", " हाइफ़न ")] : undefined;
};

const STATES =
  wordSet(`प्रदेश महाराष्ट्र गुजरात राजस्थान पंजाब हरियाणा बिहार झारखंड छत्तीसगढ़ ओडिशा उड़ीसा बंगाल असम सिक्किम मणिपुर मेघालय मिज़ोरम
  मिजोरम नागालैंड नगालैंड त्रिपुरा केरल कर्नाटक तेलंगाना गोवा तमिलनाडु नाडु उत्तराखंड कश्मीर लद्दाख दिल्ली चंडीगढ़ पुडुचेरी लक्षद्वीप निकोबार दीव हवेली
  भारत`);

/** The six digits of a postal code behind the name of a state or "पिन". */
const postalCode: Rule = (place) => {
  const text = textAt(place, 0);
  if (!/^[1-9]\d{5}$/.test(text)) return undefined;
  const previous = textAt(place, -1);
  const named = STATES.has(previous) && /^[-–—,]?$/.test(tokenAt(place, -1)?.after ?? "");
  return named || /^पिन/.test(previous) || (previous === "कोड" && /^पिन/.test(textAt(place, -2)))
    ? [digitByDigit(text)]
    : undefined;
};

export const ADDRESS_RULES: readonly Rule[] = [postalCode, englishOrdinal, inAddress, hyphenatedName];
