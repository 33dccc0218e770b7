import assert from "node:assert/strict";
import { test } from "node:test";
import { pluralForms } from "./plural-forms.ts";
import { verbForms } from "./verb-forms.ts";

test("verbs have the forms of their stems", { timeout: 10_000 }, () => {
  const forms: Readonly<Record<string, string>> = {
    लिख: "लिख लिखता लिखना लिखकर लिखा लिखीं लिखूँ लिखो लिखेगा लिखेंगी लिखोगे लिखिए",
    खा: "खाता खाने खाकर खाया खाई खाए खाऊँगा खाएगा खाएँगे खाओगी खाइए",
    पी: "पीता पीकर पिया पिए पिऊँगा पिएगा पियोगे पीजिए",
    छू: "छूता छुआ छुई छुएगा छुओ",
    दे: "देता दिया दी दूँगा देगा दोगे दीजिए",
    कर: "करता किया की करूँगा करेंगे कीजिए करके",
    जा: "जाता गया गई जाऊँगा जाएगी",
    हो: "होता हुआ हुई होगा होंगे",
  };
  for (const [stem, expected] of Object.entries(forms)) {
    const made = verbForms(stem);
    assert.deepEqual(
      expected.split(" ").filter((form) => !made.includes(form)),
      [],
    );
  }
  assert.ok(!verbForms("कर").includes("करा") && !verbForms("जा").includes("जाया"));
});

test("nouns have the plurals of their endings", { timeout: 10_000 }, () => {
  assert.deepEqual(pluralForms("सहेली"), ["सहेलियाँ", "सहेलियों"]);
  assert.deepEqual(pluralForms("मिठाई"), ["मिठाइयाँ", "मिठाइयों"]);
  assert.deepEqual(pluralForms("कमरा"), ["कमरे", "कमरों"]);
  assert.deepEqual(pluralForms("दीवार"), ["दीवारें", "दीवारों"]);
  assert.deepEqual(pluralForms("आलू"), []);
});
