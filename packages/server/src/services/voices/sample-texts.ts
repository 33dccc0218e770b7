/** The text of voice samples, by language. */
const TEXTS: Readonly<Record<string, string>> = {
  en: "Hello there. This is how I sound: clear, calm, and happy to read whatever you write.",
  es: "Hola. Así suena mi voz: clara, tranquila y lista para leer todo lo que escribas.",
  fr: "Bonjour. Voici ma voix : claire, posée, et prête à lire tout ce que vous écrivez.",
  hi: "नमस्ते। मेरी आवाज़ ऐसी है: साफ़, शांत, और आपका लिखा पढ़ने के लिए तैयार।",
  it: "Ciao. Questa è la mia voce: chiara, calma e pronta a leggere tutto ciò che scrivi.",
  ja: "こんにちは。これが私の声です。明るく、落ち着いて、何でもお読みします。",
  pt: "Olá. Esta é a minha voz: clara, calma e pronta para ler tudo o que você escrever.",
  zh: "你好，这就是我的声音：清晰、平静，乐意朗读你写的任何内容。",
};

/** `language` is ISO 639-1. */
export function sampleText(language: string): string {
  return TEXTS[language] ?? TEXTS.en ?? "";
}
