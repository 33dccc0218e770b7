import type { StockVoiceDescription } from "./descriptor.ts";

/** Median pitch in Hz of the stock voices, measured on one sentence. */
const PITCH: Readonly<Record<string, number>> = {
  ...{ af_heart: 195, af_bella: 190, af_nicole: 143, af_aoede: 182, af_kore: 147, af_sarah: 182, af_alloy: 136 },
  ...{ af_nova: 152, af_sky: 155, af_jessica: 205, af_river: 178, am_michael: 112, am_fenrir: 129, am_puck: 111 },
  ...{ am_echo: 107, am_eric: 151, am_liam: 117, am_onyx: 80, am_santa: 155, am_adam: 114, bf_emma: 176 },
  ...{ bf_isabella: 203, bf_alice: 208, bf_lily: 168, bm_george: 138, bm_fable: 109, bm_lewis: 97, bm_daniel: 120 },
  ...{ ef_dora: 184, em_alex: 134, em_santa: 137, ff_siwis: 213, hf_alpha: 229, hf_beta: 188, hm_omega: 131 },
  ...{ hm_psi: 139, if_sara: 235, im_nicola: 109, pf_dora: 184, pm_alex: 134, pm_santa: 138 },
  ...{ clara: 198, martin: 115, helen: 184, walter: 89, lucy: 219, simon: 110, nora: 188, edward: 130 },
  ...{ ruth: 168, arthur: 117 },
};

/** The pitch of a speaker of whom nothing else is known. */
export const USUAL_PITCH = { female: 183, male: 118 } as const;

export function pitchOf({ slug, gender }: Pick<StockVoiceDescription, "slug" | "gender">): number {
  return PITCH[slug] ?? USUAL_PITCH[gender];
}
