import { type Rule, table, textAt, tokenAt } from "../rules/rule.ts";

/** Titles and common words that are cut short; always with a dot and another word after them. */
const WITH_DOT = table(`
  डॉ: डॉक्टर
  डा: डॉक्टर
  प्रो: प्रोफेसर
  इं: इंजीनियर
  इंजी: इंजीनियर
  वै: वैज्ञानिक
  मा: मास्टर
  ले: लेफ्टिनेंट
  लेफ्टि: लेफ्टिनेंट
  कु: कुमारी
  सु: सुश्री
  पं: पंडित
  स्व: स्वर्गीय
  कै: कैप्टन
  कैप्टि: कैप्टन
  कर्न: कर्नल
  ब्रिगे: ब्रिगेडियर
  मे: मेजर
  न्या: न्यायमूर्ति
  एड: एडवोकेट
  एडवो: एडवोकेट
  अधि: अधिवक्ता
  आ: आचार्य
  उप: उपाध्यक्ष
  मो: मोहम्मद
  मु: मुहम्मद
  मि: मिस्टर
  रेव: रेवरेंड
  चौ: चौधरी
  ठा: ठाकुर
  सं: संख्या
  क्र: क्रमांक
  नं: नंबर
  पृ: पृष्ठ
  दि: दिनांक
  उदा: उदाहरण
  वि: विक्रम`);

/** "डॉ. अमित", "प्रो. अरुण": titles before a name. */
const withDot: Rule = (place) => {
  const said = WITH_DOT.get(textAt(place, 0));
  return said !== undefined && tokenAt(place, 0)?.after === "." && tokenAt(place, 1) !== undefined ? [said] : undefined;
};

export const ABBREVIATION_RULES: readonly Rule[] = [withDot];
