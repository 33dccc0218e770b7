import type { createNode } from "../services/cluster/node.ts";
import { createAudioExports } from "../services/history/audio-exports.ts";
import { createHistoryService } from "../services/history/history.ts";
import { createPronunciationService } from "../services/speech/pronunciations.ts";
import { createSynthesis } from "../services/speech/synthesis.ts";
import { createStoredRecordingTranscriber } from "../services/speech/transcribe-stored.ts";
import { createTranscriptionService } from "../services/speech/transcription.ts";
import { createUploadFolder } from "../services/uploads/upload-folder.ts";
import { createAliases } from "../services/voices/aliases.ts";
import { createCovers } from "../services/voices/covers.ts";
import { createVoiceCreation } from "../services/voices/creation.ts";
import { createKnownSpeakers } from "../services/voices/known-speakers.ts";
import { createNetworkVectors } from "../services/voices/network-vectors.ts";
import { createObjectSweep } from "../services/voices/object-sweep.ts";
import { createOneOffVoices } from "../services/voices/one-off-voices.ts";
import { createRefinementJobs } from "../services/voices/refinement-jobs.ts";
import { requireEngine } from "../services/voices/require-cloning.ts";
import { createVoiceSamples } from "../services/voices/samples.ts";
import { createVoiceUseCounts } from "../services/voices/use-counts.ts";
import { createVoiceFiles } from "../services/voices/voice-files.ts";
import { createVoiceService } from "../services/voices/voices.ts";
import { logEvent } from "../telemetry/log-events.ts";
import { watchTranscription } from "../telemetry/watch-transcription.ts";
import type { ResolvedParts } from "./app-parts.ts";

/** Synthesis, transcription and voices on top of the engines. */
export function createSpeechServices(parts: ResolvedParts, node: ReturnType<typeof createNode>) {
  const { config, store, speech, cloning, log, events, objects } = parts;
  const { maxTextCharacters, defaultModel } = config;
  const uploads = createUploadFolder(config.data);
  const pronunciations = createPronunciationService(store.pronunciations);
  const watched = watchTranscription(parts.transcription, events);
  const transcription = createTranscriptionService(watched, pronunciations, createKnownSpeakers(store), {
    acceptsUnknownModels: defaultModel !== undefined,
  });
  const canTranscribe = (): boolean => parts.transcription.engines().length > 0;
  const transcribe = createStoredRecordingTranscriber(transcription, canTranscribe, uploads);
  const files = createVoiceFiles({ store, objects, log });
  const objectSweep = createObjectSweep({ store, objects, log });
  node.onHeartbeat(async () => objectSweep.wake());
  const networkVectors = createNetworkVectors({ store, files, cloning, uploads, log });
  const refinement = createRefinementJobs({
    ...{ store, files, uploads, node, cloning, canTranscribe, transcribe, networkVectors, log },
    share: config.refinementShare,
  });
  const isVoice = async (voice: string): Promise<boolean> =>
    speech.findVoice(voice) !== undefined || (await store.voices.find(voice)) !== undefined;
  const aliases = createAliases(store, config.voiceAliases, isVoice);
  const voices = createVoiceService({
    store,
    files,
    speech,
    aliases,
    onRemoved(id) {
      refinement.cancel(id);
      objectSweep.wake();
    },
    onEnqueued: refinement.wake,
    onEngineMissing: (voice) => requireEngine(voice, cloning),
  });
  const useCounts = createVoiceUseCounts(store, (err) => logEvent(log, "voice-use.write-failed", { err }));
  const oneOffs = createOneOffVoices({ cloning, uploads });
  const history = createHistoryService(store, {
    mode: config.history,
    days: config.historyDays,
    maxBytes: config.historyMb * 1_000_000,
    onFault: (err) => logEvent(log, "history.write-failed", { err }),
  });
  node.onHeartbeat(history.sweep);
  return {
    uploads,
    history,
    audioExports: createAudioExports(uploads),
    pronunciations,
    transcription,
    refinement,
    voiceFiles: files,
    objectSweep,
    voices,
    aliases,
    useCounts,
    creation: createVoiceCreation({
      ...{ store, cloning, files, onCreated: refinement.wake },
      isRefined: refinement.isRefined,
    }),
    covers: createCovers(),
    samples: createVoiceSamples({ store, speech, voices }),
    synthesis: createSynthesis({
      ...{ speech, voices, oneOffs, pronunciations, maxTextCharacters, defaultModel },
      counts: useCounts,
    }),
  };
}
