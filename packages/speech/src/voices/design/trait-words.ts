/** A trait, and the words of a description that mean it. Latin words are matched whole, others anywhere. */
export interface TraitWords {
  readonly name: string;
  readonly words: string;
}

export const GENDERS: readonly (TraitWords & { readonly name: "female" | "male" })[] = [
  {
    name: "female",
    words:
      "female woman women lady girl she her hers mother mom grandmother grandma queen princess actress feminine heroine 女性 女 女の子 女の人 mujer femenina femme féminine frau weiblich",
  },
  {
    name: "male",
    words:
      "male man men guy boy he his him father dad grandfather grandpa king prince gentleman masculine hero 男性 男 男の子 男の人 hombre masculino homme masculin mann männlich",
  },
];

export type AgeName = "child" | "young" | "middle-aged" | "old";

export const AGES: readonly (TraitWords & { readonly name: AgeName; readonly pitch: number; readonly pace: number })[] =
  [
    {
      name: "middle-aged",
      words: "middle-aged middleaged mature thirties forties fifties 30s 40s 50s 中年",
      pitch: 0.98,
      pace: 1,
    },
    {
      name: "child",
      words: "child childlike kid boy girl toddler little 子供 少女 少年 孩子 儿童",
      pitch: 1.35,
      pace: 1.02,
    },
    {
      name: "young",
      words: "young younger youthful teen teenage teenager adolescent twenties 20s 若い 年轻 青年 joven jeune",
      pitch: 1.07,
      pace: 1.03,
    },
    {
      name: "old",
      words:
        "old older elderly aged senior grandmother grandma grandfather grandpa sixties seventies eighties 60s 70s 80s 老 老人 年老 高齢 viejo anciano vieux âgé",
      pitch: 0.92,
      pace: 0.93,
    },
  ];

export const PITCHES: readonly (TraitWords & { readonly factor: number })[] = [
  {
    name: "low",
    words: "low deep bass baritone low-pitched deep-voiced booming 低い 低沉 低音 grave profunda",
    factor: 0.86,
  },
  { name: "high", words: "high high-pitched squeaky soprano shrill 高い 高音 尖锐 aguda aigu", factor: 1.16 },
];

export const PACES: readonly (TraitWords & { readonly factor: number })[] = [
  {
    name: "slow",
    words: "slow slowly unhurried deliberate measured drawling ゆっくり 缓慢 慢 lento despacio lent",
    factor: 0.87,
  },
  { name: "fast", words: "fast quick quickly rapid brisk hurried fast-paced 速い 快 快速 rápido rapide", factor: 1.14 },
];

/** English accents by region, and languages. */
export const ACCENTS: readonly (TraitWords & { readonly name: string })[] = [
  { name: "en-GB", words: "british english-accent uk london scottish welsh oxford rp posh" },
  { name: "en-US", words: "american us usa californian texan midwestern" },
  { name: "es", words: "spanish castilian mexican español española" },
  { name: "fr", words: "french parisian français française" },
  { name: "hi", words: "hindi indian" },
  { name: "it", words: "italian italiano italiana" },
  { name: "pt", words: "portuguese brazilian português" },
];

/** Words for a mood. All that can be made of them is a little pitch and pace. */
export const MOODS: readonly (TraitWords & { readonly pitch: number; readonly pace: number })[] = [
  {
    name: "calm",
    words: "calm relaxed soothing peaceful serene meditative 落ち着いた 平静 冷静 tranquila calme",
    pitch: 0.98,
    pace: 0.94,
  },
  {
    name: "cheerful",
    words: "cheerful happy joyful bright bubbly playful friendly 明るい 开朗 活泼 alegre joyeux",
    pitch: 1.05,
    pace: 1.04,
  },
  {
    name: "energetic",
    words: "energetic excited lively enthusiastic dynamic upbeat 元気 激动",
    pitch: 1.05,
    pace: 1.1,
  },
  { name: "sad", words: "sad melancholic somber sombre gloomy mournful 悲しい 悲伤 triste", pitch: 0.96, pace: 0.9 },
  {
    name: "serious",
    words: "serious authoritative confident commanding professional firm stern 真剣 严肃 seria sérieux",
    pitch: 0.96,
    pace: 0.98,
  },
  {
    name: "gentle",
    words: "gentle soft warm tender kind caring whispery 優しい 温柔 suave doux",
    pitch: 0.99,
    pace: 0.95,
  },
  { name: "tense", words: "tense nervous anxious angry urgent panicked 緊張 紧张", pitch: 1.04, pace: 1.08 },
];

/** Before a trait: a stronger form of it. */
export const INTENSIFIERS = "very extremely really super incredibly とても 非常";
