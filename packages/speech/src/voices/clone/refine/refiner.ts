import { fileURLToPath } from "node:url";
import { createDecimator } from "../../../audio/decimate.ts";
import type { Prosody } from "../../../engines/kokoro/student/shape.ts";
import { voiceOf } from "../../../engines/kokoro/student/voice-gradient.ts";
import { concatSamples } from "../../../lib/concat.ts";
import { lazy } from "../../../lib/lazy.ts";
import { refinementNetworks } from "../gradient/refinement-networks.ts";
import type { SpeakerVectors } from "../gradient/speaker-files.ts";
import { loadSpeakerVectors } from "../gradient/speaker-vectors.ts";
import { measurePitch } from "../pitch.ts";
import { readSpeech, resampledSpeech } from "../read-speech.ts";
import { SPEAKER_NETWORK_RATE } from "../speaker-network.ts";
import { createCpuShare } from "./cpu-share.ts";
import { groupsOf } from "./groups.ts";
import { loadRefinementNetworks } from "./load-networks.ts";
import { prosodiesOf } from "./prosodies.ts";
import { meanVectors, refineParameters } from "./refine-parameters.ts";
import type { RefinementJob, RefinementResult, RefinementSpec } from "./refinement.ts";
import { createSpokenText } from "./spoken-text.ts";
import { MEASURED_TEXTS, REFINEMENT_TEXTS } from "./texts.ts";
import { createVoicesFor } from "./voices-for.ts";

/** The work is limited to a share of one core. */
const THREADS = 1;
/** The decoder's 24 kHz to the 8 kHz of the speaker networks. */
const decimator = createDecimator(3);

/** Refines cloned voices. For a process of its own: it blocks its thread, and needs several hundred megabytes. */
export function createRefiner(spec: RefinementSpec, steps?: number) {
  const files = { xvector: spec.xvector, networks: refinementNetworks.map((url) => fileURLToPath(url)) };
  const measure = lazy(() => loadSpeakerVectors(files, THREADS));
  const networks = lazy(() => loadRefinementNetworks(files, THREADS));

  return async ({ voice, recordings, share }: RefinementJob, signal: AbortSignal): Promise<RefinementResult> => {
    const pause = createCpuShare(share);
    const speech: Float32Array[] = [];
    for (const recording of recordings) speech.push(resampledSpeech(await readSpeech(recording), SPEAKER_NETWORK_RATE));
    const groups = groupsOf(speech, SPEAKER_NETWORK_RATE);
    if (groups === undefined) return { refined: undefined, similarity: undefined };
    const { vectorsOf } = await measure();
    const speaker: SpeakerVectors[] = [];
    for (const group of groups) {
      speaker.push(await vectorsOf(group, signal));
      await pause(signal);
    }
    const [refined = [], measured = []] = await prosodiesOf(
      spec.kokoro,
      voice,
      [REFINEMENT_TEXTS, MEASURED_TEXTS],
      signal,
    );
    const start = voiceOf(refined[0]?.style ?? new Float32Array(0));
    const { decoder, speakers, encoder, speakerNetwork } = await networks();
    const { pitch } = measurePitch(concatSamples(groups), SPEAKER_NETWORK_RATE);
    const known = { voice: start, speaker: meanVectors(speaker), pitch };
    const voiceFor = await createVoicesFor(encoder, speakerNetwork, known);
    const spoken = (prosody: Prosody) => createSpokenText(prosody, decoder, decimator);
    const result = await refineParameters(
      { speakers, vectorsOf, voiceFor, pause },
      start,
      speaker,
      { refined: refined.map(spoken), measured: measured.map(spoken) },
      signal,
      steps,
    );
    const { similarity } = result;
    if (result.voice === undefined) return { refined: undefined, similarity };
    const { timbre } = result.voice;
    return {
      refined: {
        // The style has the offset of the language, too.
        embedding: voice.embedding.map((value, i) => value + (timbre[i] ?? 0) - (start.timbre[i] ?? 0)),
        decoderOffsets: result.voice.offsets,
      },
      similarity,
    };
  };
}
