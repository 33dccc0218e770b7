import { MODEL_NAMES } from "@parlance/protocol";
import { type EngineSetting, engineSwitch, qualitySetting, sizeSetting } from "@parlance/speech/settings";
import { optionalSetting, setting } from "../setting.ts";
import { integer, oneOf, ratio } from "../value-types.ts";
import { voiceAliases } from "../voice-aliases.ts";

export const speech = {
  defaultModel: optionalSetting({
    name: "PARLANCE_DEFAULT_MODEL",
    type: oneOf(MODEL_NAMES),
    unset: "none: a missing model is refused with 422, an unknown one with 400",
    meaning:
      "The model for text-to-speech requests whose `model` header is missing or unknown, such as `s2-pro`. For clients that send no model. With it, an unknown model of a transcription means `transcribe-1`. See [compatibility.md](compatibility.md).",
  }),
  voiceAliases: setting({
    name: "PARLANCE_VOICE_ALIASES",
    type: voiceAliases,
    default: "{}",
    meaning:
      'Voice ids of other servers and the voices that speak for them here. `{"id":"voice"}` or `id=voice,id=voice`, with the id or short name of a voice; `*` stands for every other unknown id. Without an alias, an unknown id is refused with 400. See [compatibility.md](compatibility.md#voice-ids-of-other-servers).',
  }),
  workers: optionalSetting({
    name: "PARLANCE_WORKERS",
    type: integer(1, 256),
    unset: "one for each core, at most 4",
    meaning:
      "Worker processes for each text-to-speech engine. More workers serve more requests at once and use more memory, about one copy of the model each.",
  }),
  asrWorkers: optionalSetting({
    name: "PARLANCE_ASR_WORKERS",
    type: integer(1, 256),
    unset: "one for each core, at most 4",
    meaning:
      "Worker processes for speech to text. They start with the first recording and end after some idle minutes.",
  }),
  queue: setting({
    name: "PARLANCE_QUEUE",
    type: integer(1, 100_000),
    default: "64",
    meaning: "Maximum number of text-to-speech requests that run or wait. A further request is answered with 503.",
  }),
  keepAhead: setting({
    name: "PARLANCE_KEEP_AHEAD",
    type: oneOf(["on", "off"]),
    default: "on",
    meaning:
      "Whether to refuse requests that the machine cannot synthesize in real time. `on`: a request is answered with 503 when it and the running ones together could not be kept ahead of playback. `off`: only `PARLANCE_QUEUE` limits them, and playback may stall. See [operating.md](operating.md).",
  }),
  optionalEngine: engineSetting(engineSwitch),
  quality: engineSetting(qualitySetting),
  cloning: setting({
    name: "PARLANCE_CLONING",
    type: oneOf(["on", "lazy", "off"]),
    default: "on",
    meaning:
      "Whether voices can be cloned from recordings. `on`: the models for it are fetched in the background after the start, and the process that makes voices starts with the server. `lazy`: both wait for the first voice, except for models that speech and transcription use as well (at present all of them). `off`: new voices are refused; existing ones can still be used where their engine is installed. See [voices.md](voices.md).",
  }),
  refinementShare: setting({
    name: "PARLANCE_REFINEMENT_SHARE",
    type: ratio,
    default: "0.5",
    meaning:
      "The share of one core that the refinement of cloned voices may use on each server or worker machine. `0`: this server refines no voices. Recordings without a text are still transcribed to set the pace, and voices that were refined before stay refined. See [voices.md](voices.md#refinement).",
  }),
  recognizerSize: engineSetting(sizeSetting),
};

function engineSetting<Value extends string>({ variable: name, values, ...rest }: EngineSetting<Value>) {
  return setting({ name, type: oneOf(values), default: rest.default, meaning: rest.meaning });
}
