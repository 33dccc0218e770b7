import type { RomanWords } from "../rules/grammar.ts";
import { wordSet } from "../rules/rule.ts";
import { cardinal, ordinal } from "./number-words.ts";

/** Rulers are counted in Sanskrit: "हेनरी अष्टम". From eleven on it is rare. */
const SANSKRIT = "प्रथम द्वितीय तृतीय चतुर्थ पंचम षष्ठ सप्तम अष्टम नवम दशम".split(" ");

const CENTURIES = ["सदी", "शताब्दी"];

export const ROMAN_NUMERALS: RomanWords = {
  ruler: (value) => SANSKRIT[value - 1] ?? ordinal(String(value), "ें"),
  rulers: wordSet(`लुई हेनरी जॉर्ज चार्ल्स एडवर्ड रिचर्ड विलियम जेम्स एलिज़ाबेथ एलिजाबेथ मैरी फ़िलिप फिलिप नेपोलियन निकोलस
    पीटर अलेक्ज़ेंडर अलेक्जेंडर कैथरीन फ़्रेडरिक फ्रेडरिक लियो पायस पॉल बेनेडिक्ट ग्रेगरी`),
  before: wordSet(`कक्षा अध्याय भाग खंड खण्ड अनुसूची अंक चरण श्रेणी वर्ग स्तर प्रकार टाइप फेज फेज़ पाठ अनुभाग परिशिष्ट तालिका विश्वयुद्ध
    संस्करण सेमेस्टर ग्रेड यूनिट इकाई`),
  numbered: (value) => cardinal(String(value)),
  after: new Map(CENTURIES.map((word) => [word, (value: number) => ordinal(String(value), "ीं")])),
};
