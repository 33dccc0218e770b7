import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { MAX_ALIGNED } from "./align.ts";
import { type Lexicon, loadLexicon } from "./lexicon.ts";
import { devanagariSounds, inDevanagari } from "./sounds.ts";
import { spellHindi } from "./spell-words.ts";

const words = (text: string) =>
  text.split(" ").map((each, start) => ({ text: each, start, end: start + 1, joined: false }));

const cases: Readonly<Record<string, readonly (readonly [hindi: string, urdu: string, spelled: string])[]>> = {
  "consonants are those of Urdu": [
    ["गर में दूद ता.", "گھر میں دودھ تھا۔", "घर में दूध था."],
    ["लरका किताप परता है", "لڑکا کتاب پڑھتا ہے۔", "लड़का किताब पढ़ता है"],
  ],
  "short vowels are those of Hindi": [["उस दिन बिल बरा", "اس دن بل بھرا", "उस दिन बिल भरा"]],
  "Urdu alone is written in Devanagari, with the words of the lexicon": [
    ["میرا بھائی گھر میں ہے۔", "میرا بھائی گھر میں ہے۔", "मेरा भाई घर में है।"],
    ["", "کیا آپ کتاب پڑھتے ہیں؟", "क्या आप किताब पढ़ते हैं?"],
    ["My brother is at home", "میرا بھائی گھر پر ہے", "मेरा भाई घर पर है"],
  ],
  "words that Urdu writes alike are told apart by their place": [
    ["", "میں گھر میں ہوں", "मैं घर में हूँ"],
    ["", "کیا ہم نے کام کیا ہے", "क्या हमने काम किया है"],
  ],
  "words that Urdu writes apart are joined": [["", "ہم نے کہا وہ جائے گا", "हमने कहा वह जाएगा"]],
  "an ending of the future that was misheard is joined": [["", "وہ دیوار توڑیں کے", "वह दीवार तोड़ेंगे"]],
  "a consonant that Urdu writes twice is a doubled one": [
    ["", "سنیتا چیننی جائے گی", "सुनीता चेन्नई जाएगी"],
    ["", "وہ دللی میں ہے", "वह दिल्ली में है"],
  ],
  "vowels on a hamza are heard": [
    ["", "یہاں آؤ اور مجھے بتاؤ", "यहाँ आओ और मुझे बताओ"],
    ["", "دباؤ بہت ہے", "दबाव बहुत है"],
    ["", "وہ گاؤں میں رہتا ہے", "वह गाँव में रहता है"],
    ["", "میں گھر جاؤں گا", "मैं घर जाऊँगा"],
    ["", "گاۓ دودھ دیتی ہے", "गाय दूध देती है"],
  ],
  "words that were heard as one are separated": [["किसीको पता था", "کسی کو پتا تھا", "किसी को पता था"]],
  "a word that is not in the lexicon stays, with the consonants of Urdu": [
    ["मेरा नाम बगवन्तकर है", "میرا نام بھگونتکر ہے", "मेरा नाम भगवन्तकर है"],
  ],
  "forms of verbs and plurals that the list lacks are known": [
    ["वो शाम को खाना खाएगा", "وہ شام کو کھانا کائے گا", "वह शाम को खाना खाएगा"],
    ["गलियों में मिठाई बिकती है", "گلیوں میں مٹھائی بکتی ہے", "गलियों में मिठाई बिकती है"],
    ["अपनी सहेलियों को बुलाया", "اپنی سہیلیوں کو بلایا", "अपनी सहेलियों को बुलाया"],
    ["", "میں کل چٹھی لکھوں گا", "मैं कल चिट्ठी लिखूँगा"],
    ["", "اگر بارش رکے گی تو ہم نکلیں گے", "अगर बारिश रुकेगी तो हम निकलेंगे"],
  ],
  "names are known": [
    ["वो करनूल से आए थे", "وہ کرنول سے آئے تھے", "वह कुर्नूल से आए थे"],
    ["", "وہ ہیلسنکی میں رہتا ہے", "वह हेलसिंकी में रहता है"],
  ],
  "a word stays where Urdu has the same consonants, though it lacks vowels": [
    ["राम दिल्ली और चेन्नई गया", "رام دلی اور چنئی گیا", "राम दिल्ली और चेन्नई गया"],
    ["वह चेन्नई से आया", "وہ چنی سے آیا", "वह चेन्नई से आया"],
    ["वह सोनारपुरी गया", "وہ سونارپوری گیا", "वह सोनारपुरी गया"],
    ["वह गुरुमूर्ति है", "وہ گرومورتی ہے", "वह गुरुमूर्ति है"],
  ],
  "two texts in Arabic letters are heard together": [
    ["", "میری بین بازار گئی تھے", "मेरी बहन बाज़ार गईं थे"],
    ["میری بہین بجار گئی تھی", "میری بین بازار گئی تھے", "मेरी बहन बाज़ार गई थी"],
  ],
  "words are those that are usual one after another": [
    ["", "گھر کی پاس ایک پیر ہے", "घर के पास एक पेड़ है"],
    ["", "اس نے کہا کہ کئی لوگ آئے", "उसने कहा कि कई लोग आए"],
  ],
  "words of the lexicon in Latin letters are written in Devanagari, others stay": [
    ["dadi raat ko kahani sunati hai", "دادی رات کو کہانی سناتی ہے", "दादी रात को कहानी सुनाती है"],
    ["", "آپ کا phone 25 سال کا ہے", "आपका फोन 25 साल का है"],
    ["", "تمhara گھر", "तुम्हारा घर"],
    ["", "یہ Parlance کا ہے", "यह Parlance का है"],
  ],
  "English words in Latin letters stay where no word of the lexicon is like them": [
    ["यह machine का update है", "یہ machine کا update ہے", "यह machine का update है"],
    ["", "یہ میرا camera ہے", "यह मेरा camera है"],
  ],
  "digits and punctuation stay": [
    ["२५ गर, 3री गरी ... है", "پچیس گھر 3 گھڑی ہے", "२५ घर, 3री घड़ी है"],
    ["", "۲۵ گھر ہیں", "25 घर हैं"],
    ["हाँ, 25 रुपए का फोन है।", "ہاں، 25 روپے کا فون ہے۔", "हाँ, 25 रुपए का फोन है।"],
  ],
  "letters whose sounds are not known stay": [
    ["वह ॐ कहता है", "وہ اوم کہتا ہے", "वह ॐ कहता है"],
    ["मेरा é घर", "میرا گھر", "मेरा é घर"],
  ],
  "other speech, no text, or no Urdu changes nothing": [
    ["मेरा बाई गर पर है", "شکریہ", "मेरा बाई गर पर है"],
    ["मेरा बाई", "", "मेरा बाई"],
    ["गर", "thank you", "गर"],
    ["hello there", "hello there", "hello there"],
  ],
};

describe("Hindi by its Hindi and Urdu transcripts", { timeout: 60_000 }, () => {
  let lexicon: Lexicon;
  before(async () => {
    lexicon = await loadLexicon();
  });
  const spelled = (hindi: string, urdu: string, keywords?: string[]) =>
    spellHindi(words(hindi), words(urdu), lexicon, keywords)
      .map(({ text }) => text)
      .join(" ");

  for (const [name, texts] of Object.entries(cases)) {
    test(name, () => {
      for (const [hindi, urdu, expected] of texts) assert.equal(spelled(hindi, urdu), expected);
    });
  }

  test("keywords are spelled as they were given", () => {
    assert.equal(spelled("मेरा बाई गर में है", "میرا بھائی گھر میں ہے", ["गर"]), "मेरा भाई गर में है");
  });

  test("words have the times of those that they were heard as", () => {
    const result = spellHindi(words("मेरा बाई गरमें ता."), words("میرا بھائی گھر میں تھا۔"), lexicon);
    assert.deepEqual(
      result.map(({ text }) => text),
      ["मेरा", "भाई", "घर", "में", "था."],
    );
    const times = result.flatMap(({ start, end }) => [start, end]);
    assert.deepEqual(
      [times.slice(0, 5), times.slice(-3)],
      [
        [0, 1, 1, 2, 2],
        [3, 3, 4],
      ],
    );
    assert.ok(times[5] !== undefined && times[5] > 2 && times[5] < 3 && times[5] === times[6]);
  });

  test("a text that is too long to align stays", () => {
    const [hindi, urdu] = ["गर ", "گھر "].map((word) => word.repeat(MAX_ALIGNED / 2).trim());
    assert.equal(spelled(hindi ?? "", urdu ?? ""), "घर ".repeat(MAX_ALIGNED / 2).trim());
    assert.equal(spelled(`${hindi} गर`, `${urdu} گھر`), `${hindi} गर`);
  });
});

test("sounds are written as the word that they were read from", () => {
  for (const word of ["अच्छा", "पढ़ाई", "हँसना", "में", "ज़मीन", "क्या", "चिट्ठी", "हूँ", "औरत"])
    assert.equal(inDevanagari(devanagariSounds(word)), word.normalize("NFC"));
});
