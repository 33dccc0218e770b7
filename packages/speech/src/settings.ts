/** What settings need of the engines, without the engines themselves. */
export { type EngineSetting, engineSwitch, qualitySetting, sizeSetting } from "./engines/settings.ts";
export { defaultModelsDirectory } from "./models/layout.ts";
