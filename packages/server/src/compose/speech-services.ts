import type { createNode } from "../services/cluster/node.ts";
import { createSynthesis } from "../services/speech/synthesis.ts";
import { createRecordingWriter } from "../services/speech/transcribe-stored.ts";
import { createTranscriptionService } from "../services/speech/transcription.ts";
import { createUploadFolder } from "../services/speech/upload-folder.ts";
import { createVoiceCreation } from "../services/voices/creation.ts";
import { createOneOffVoices } from "../services/voices/one-off-voices.ts";
import { createVoiceWork } from "../services/voices/refinement-jobs.ts";
import { requireCloning } from "../services/voices/require-cloning.ts";
import { createVoiceSamples } from "../services/voices/samples.ts";
import { createVoiceCounts } from "../services/voices/use-counts.ts";
import { createVoiceService } from "../services/voices/voices.ts";
import { watchTranscription } from "../telemetry/watch-transcription.ts";
import type { ResolvedParts } from "./app-parts.ts";

/** Synthesis, transcription and voices on top of the engines. */
export function createSpeechServices(parts: ResolvedParts, node: ReturnType<typeof createNode>) {
  const { config, store, speech, cloning, log, events } = parts;
  const { maxTextCharacters } = config;
  const uploads = createUploadFolder(config.data);
  const transcription = createTranscriptionService(watchTranscription(parts.transcription, events));
  const transcribe = createRecordingWriter(transcription, () => parts.transcription.engines().length > 0, uploads);
  const refinement = createVoiceWork({ store, node, cloning, transcribe, log });
  const voices = createVoiceService({
    store,
    speech,
    onRemoved: refinement.forget,
    onEngineMissing: () => requireCloning(cloning),
  });
  const useCounts = createVoiceCounts(store, (err) =>
    log.warn({ event: "voice-use.write-failed", err }, "use counts of voices could not be written"),
  );
  const oneOffs = createOneOffVoices({ cloning, uploads });
  return {
    uploads,
    transcription,
    refinement,
    voices,
    useCounts,
    creation: createVoiceCreation({ store, cloning, onCreated: refinement.poke }),
    samples: createVoiceSamples({ store, speech, voices }),
    synthesis: createSynthesis({ speech, voices, oneOffs, counts: useCounts, maxTextCharacters }),
  };
}
