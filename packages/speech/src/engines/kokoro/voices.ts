import type { StockVoiceDescription } from "../descriptor.ts";

/** The first letter of a Kokoro voice is its language, the second its gender. */
const languages: Readonly<Record<string, { readonly espeak: string; readonly tag: string; readonly name: string }>> = {
  a: { espeak: "en-us", tag: "en-US", name: "American English" },
  b: { espeak: "en-gb", tag: "en-GB", name: "British English" },
  e: { espeak: "es", tag: "es-ES", name: "Spanish" },
  f: { espeak: "fr-fr", tag: "fr-FR", name: "French" },
  h: { espeak: "hi", tag: "hi-IN", name: "Hindi" },
  i: { espeak: "it", tag: "it-IT", name: "Italian" },
  j: { espeak: "ja", tag: "ja-JP", name: "Japanese" },
  p: { espeak: "pt-br", tag: "pt-BR", name: "Brazilian Portuguese" },
  z: { espeak: "zh", tag: "zh-CN", name: "Mandarin Chinese" },
};

const names = `
  af_heart af_bella af_nicole af_aoede af_kore af_sarah af_alloy af_nova af_sky af_jessica af_river
  am_michael am_fenrir am_puck am_echo am_eric am_liam am_onyx am_santa am_adam
  bf_emma bf_isabella bf_alice bf_lily bm_george bm_fable bm_lewis bm_daniel
  ef_dora em_alex em_santa ff_siwis hf_alpha hf_beta hm_omega hm_psi if_sara im_nicola pf_dora pm_alex pm_santa
  jf_alpha jf_gongitsune jf_tebukuro jf_nezumi jm_kumo
  zf_xiaoxiao zf_xiaoyi zf_xiaobei zf_xiaoni zm_yunyang zm_yunxi zm_yunjian zm_yunxia
`;

/** Best first. */
export const kokoroVoices: readonly StockVoiceDescription[] = names
  .trim()
  .split(/\s+/)
  .flatMap((name) => {
    const language = languages[name.charAt(0)];
    if (!language) return [];
    const gender = name.charAt(1) === "f" ? "female" : "male";
    const given = name.slice(3);
    return {
      slug: name,
      title: given.charAt(0).toUpperCase() + given.slice(1),
      description: `${language.name}, ${gender}`,
      language: language.tag,
      gender,
      engineVoice: { language: language.espeak, embedding: name },
    };
  });
