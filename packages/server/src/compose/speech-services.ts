import type { createNode } from "../services/cluster/node.ts";
import { createSynthesis } from "../services/speech/synthesis.ts";
import { createStoredRecordingTranscriber } from "../services/speech/transcribe-stored.ts";
import { createTranscriptionService } from "../services/speech/transcription.ts";
import { createUploadFolder } from "../services/uploads/upload-folder.ts";
import { createCovers } from "../services/voices/covers.ts";
import { createVoiceCreation } from "../services/voices/creation.ts";
import { createOneOffVoices } from "../services/voices/one-off-voices.ts";
import { createRefinementJobs } from "../services/voices/refinement-jobs.ts";
import { requireCloning } from "../services/voices/require-cloning.ts";
import { createVoiceSamples } from "../services/voices/samples.ts";
import { createVoiceUseCounts } from "../services/voices/use-counts.ts";
import { createVoiceService } from "../services/voices/voices.ts";
import { logEvent } from "../telemetry/log-events.ts";
import { watchTranscription } from "../telemetry/watch-transcription.ts";
import type { ResolvedParts } from "./app-parts.ts";

/** Synthesis, transcription and voices on top of the engines. */
export function createSpeechServices(parts: ResolvedParts, node: ReturnType<typeof createNode>) {
  const { config, store, speech, cloning, log, events } = parts;
  const { maxTextCharacters, defaultModel } = config;
  const uploads = createUploadFolder(config.data);
  const transcription = createTranscriptionService(watchTranscription(parts.transcription, events));
  const transcribe = createStoredRecordingTranscriber(
    transcription,
    () => parts.transcription.engines().length > 0,
    uploads,
  );
  const refinement = createRefinementJobs({ store, node, cloning, transcribe, log });
  const voices = createVoiceService({
    store,
    speech,
    aliases: config.voiceAliases,
    onRemoved: refinement.cancel,
    onEngineMissing: () => requireCloning(cloning),
  });
  const useCounts = createVoiceUseCounts(store, (err) => logEvent(log, "voice-use.write-failed", { err }));
  const oneOffs = createOneOffVoices({ cloning, uploads });
  return {
    uploads,
    transcription,
    refinement,
    voices,
    useCounts,
    creation: createVoiceCreation({ store, cloning, onCreated: refinement.wake }),
    covers: createCovers(),
    samples: createVoiceSamples({ store, speech, voices }),
    synthesis: createSynthesis({ speech, voices, oneOffs, counts: useCounts, maxTextCharacters, defaultModel }),
  };
}
