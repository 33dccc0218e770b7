import { readFile } from "node:fs/promises";
import { studentFile } from "../../../engines/kokoro/student/student-file.ts";
import { loadVoiceGradient, type VoiceGradient } from "../../../engines/kokoro/student/voice-gradient.ts";
import { openTogether } from "../../../lib/open-together.ts";
import type { SpeakerFiles } from "../gradient/speaker-files.ts";
import { loadSpeakerGradients, type SpeakerGradients } from "../gradient/speaker-gradients.ts";
import { loadVoiceEncoder, type VoiceEncoder } from "../voice-encoder.ts";
import { speakerNetworkVersion } from "../voice-encoder-version.ts";

/** What a voice is refined with, beside the networks that measure it. */
export interface RefinementNetworks {
  readonly decoder: VoiceGradient;
  readonly speakers: SpeakerGradients;
  readonly encoder: VoiceEncoder;
  /** The version of the speaker network. */
  readonly speakerNetwork: string;
}

/** The next voice tries again where this fails, so nothing may stay open: together they hold some hundred megabytes. */
export function loadRefinementNetworks(files: SpeakerFiles, threads: number): Promise<RefinementNetworks> {
  return openTogether(async (onFailure) => {
    const speakerNetwork = await speakerNetworkVersion();
    const decoder = await loadVoiceGradient(await readFile(studentFile), threads);
    onFailure(decoder.close);
    const speakers = await loadSpeakerGradients(files, threads);
    onFailure(speakers.close);
    return { decoder, speakers, encoder: await loadVoiceEncoder(), speakerNetwork };
  });
}
