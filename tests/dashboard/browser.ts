import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const PATHS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executable = PATHS.find((path) => path !== undefined && path !== "" && existsSync(path));

/** Why there is no browser to test with; undefined when there is one. */
export const browserMissing = executable === undefined ? "no Chromium: apt-get install chromium" : undefined;

/** A recording (WAV) is played into its microphone in a loop; without one, beeps are. */
export function launchBrowser(microphone?: string): Promise<Browser> {
  return chromium.launch({
    ...(executable === undefined ? {} : { executablePath: executable }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...(microphone === undefined ? [] : [`--use-file-for-fake-audio-capture=${microphone}`]),
      // A fake microphone, allowed without a prompt.
      "--use-fake-device-for-media-stream",
      "--use-fake-ui-for-media-stream",
    ],
  });
}

export interface Faults {
  /** Errors of scripts and of the console, and requests to other machines. */
  readonly list: string[];
  /** Requests that the server has refused. */
  readonly refused: string[];
}

/** Collects errors of a page and requests to other machines. A refusal by the server is not an error of the page. */
export function watch(context: BrowserContext, origin: string): Faults {
  const list: string[] = [];
  const refused: string[] = [];
  context.on("weberror", (error) => list.push(`script: ${error.error().message}`));
  context.on("console", (message) => {
    if (message.type() !== "error" || /Failed to load resource/.test(message.text())) return;
    list.push(`console: ${message.text()}`);
  });
  context.on("response", (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(blob|data):/.test(url)) list.push(`request: ${url}`);
  });
  return { list, refused };
}

/** Captures the audio output of the page. Runs in the page, before its own scripts. */
export const CAPTURE_AUDIO = `
  const analysers = [];
  const create = BaseAudioContext.prototype.createAnalyser;
  BaseAudioContext.prototype.createAnalyser = function () {
    const analyser = create.call(this);
    analysers.push(analyser);
    return analyser;
  };
  // The current peak at the newest analyser.
  globalThis.outputPeak = () => {
    const analyser = analysers.at(-1);
    if (analyser === undefined) return 0;
    const samples = new Float32Array(analyser.fftSize);
    analyser.getFloatTimeDomainData(samples);
    return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
  };
`;

export async function outputPeak(page: Page): Promise<number> {
  return Number(await page.evaluate("globalThis.outputPeak()"));
}
