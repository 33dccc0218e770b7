import { table } from "../rules/rule.ts";

/** The names of the Latin letters as Hindi says them. */
const LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  "a ए,b बी,c सी,d डी,e ई,f एफ,g जी,h एच,i आई,j जे,k के,l एल,m एम,n एन,o ओ,p पी,q क्यू,r आर,s एस,t टी,u यू,v वी,w डब्ल्यू,x एक्स,y वाई,z ज़ेड"
    .split(",")
    .map((entry) => entry.split(" ")),
);

/** "rbi" is "आर बी आई". Anything but Latin letters is dropped. */
export const letterNames = (text: string): string =>
  [...text.toLowerCase()].flatMap((letter) => LETTERS[letter] ?? []).join(" ");

/** English ordinals, as addresses and floors have them. */
export const ENGLISH_ORDINALS = table(`
  1: फ़र्स्ट
  2: सेकंड
  3: थर्ड
  4: फ़ोर्थ
  5: फ़िफ्थ
  6: सिक्स्थ
  7: सेवंथ
  8: एट्थ
  9: नाइंथ
  10: टेंथ
  11: इलेवंथ
  12: ट्वेल्फ्थ
  13: थर्टींथ
  14: फ़ोर्टींथ
  15: फ़िफ्टींथ
  16: सिक्स्टींथ
  17: सेवंटींथ
  18: एटींथ
  19: नाइंटींथ
  20: ट्वेंटिएथ`);

/** Parts of addresses and file names that are said as words. */
export const WEB_WORDS = table(`
  com: कॉम
  org: ऑर्ग
  net: नेट
  in: इन
  info: इन्फ़ो
  gov: गव
  www: डब्ल्यू डब्ल्यू डब्ल्यू
  gmail: जीमेल
  google: गूगल
  hotmail: हॉटमेल
  yahoo: याहू
  outlook: आउटलुक
  live: लाइव
  rediff: रेडिफ़
  rediffmail: रेडिफ़मेल
  facebook: फेसबुक
  twitter: ट्विटर
  instagram: इंस्टाग्राम
  linkedin: लिंक्डइन
  whatsapp: व्हाट्सएप
  youtube: यूट्यूब
  amazon: अमेज़न
  flipkart: फ्लिपकार्ट
  microsoft: माइक्रोसॉफ्ट
  apple: एप्पल
  github: गिटहब
  wikipedia: विकिपीडिया
  sharda: शारदा
  india: इंडिया
  home: होम
  desktop: डेस्कटॉप
  users: यूज़र्स
  user: यूज़र
  admin: एडमिन
  downloads: डाउनलोड्स
  download: डाउनलोड
  documents: डॉक्यूमेंट्स
  pictures: पिक्चर्स
  program: प्रोग्राम
  files: फाइल्स
  file: फाइल
  windows: विंडोज़
  system: सिस्टम
  search: सर्च
  blog: ब्लॉग
  news: न्यूज़
  mail: मेल
  email: ईमेल
  help: हेल्प
  support: सपोर्ट
  contact: कॉन्टैक्ट
  info: इन्फ़ो
  sales: सेल्स
  login: लॉगिन
  about: अबाउट
  shop: शॉप
  store: स्टोर
  online: ऑनलाइन
  index: इंडेक्स
  report: रिपोर्ट
  data: डेटा
  bank: बैंक
  world: वर्ल्ड
  green: ग्रीन
  black: ब्लैक
  white: व्हाइट
  blue: ब्लू
  red: रेड
  local: लोकल
  var: वार
  bin: बिन
  etc: ई टी सी
  test: टेस्ट
  my: माय
  the: द`);
