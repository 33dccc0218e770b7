import { PROSODY_RANGES, type Range } from "../tts/ranges.ts";

/** How a part of the text is spoken. */
export interface SsmlDelivery {
  /** Undefined: the voice of the request. */
  readonly voice: string | undefined;
  /** BCP 47. Undefined: found for each sentence. */
  readonly language: string | undefined;
  readonly speed: number;
  /** dB */
  readonly volume: number;
}

export const PLAIN: SsmlDelivery = { voice: undefined, language: undefined, speed: 1, volume: 0 };

const RATES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    "x-slow": 0.5,
    slow: 0.75,
    medium: 1,
    default: 1,
    fast: 1.25,
    "x-fast": 1.75,
  }),
);
const VOLUMES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    "x-soft": -12,
    soft: -6,
    medium: 0,
    default: 0,
    loud: 6,
    "x-loud": 12,
  }),
);
const STRENGTHS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    none: 0,
    "x-weak": 0.15,
    weak: 0.3,
    medium: 0.5,
    strong: 1.2,
    "x-strong": 2,
  }),
);
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i;

/** "slow", "80%", "-20%" and "0.8", relative to `around`. Undefined for other values. */
export function readRate(value: string, around: number): number | undefined {
  const named = RATES.get(value);
  const [, sign = "", amount, percent] = /^([+-]?)(\d{1,4}(?:\.\d{1,4})?)(%?)$/.exec(value) ?? [];
  const number = Number(amount) / (percent === "%" ? 100 : 1);
  const factor = named ?? (amount === undefined ? undefined : sign === "" ? number : 1 + Number(`${sign}${number}`));
  return factor === undefined ? undefined : round(within(around * factor, PROSODY_RANGES.speed));
}

/** "soft" and "+6dB", relative to `around`. Undefined for other values. */
export function readVolume(value: string, around: number): number | undefined {
  const [, amount] = /^([+-]?\d{1,3}(?:\.\d{1,3})?)dB$/i.exec(value) ?? [];
  const change = VOLUMES.get(value) ?? (amount === undefined ? undefined : Number(amount));
  return change === undefined ? undefined : round(within(around + change, PROSODY_RANGES.volume));
}

/** Seconds of "medium". */
export const readStrength = (value: string): number | undefined => STRENGTHS.get(value);

/** Seconds of "800ms" and "1.5s". */
export function readTime(value: string): number | undefined {
  const [, amount, unit] = /^\+?(\d{0,6}(?:\.\d{1,4})?)(ms|s)$/i.exec(value) ?? [];
  if (amount === undefined || amount === "") return undefined;
  return unit?.toLowerCase() === "ms" ? Number(amount) / 1000 : Number(amount);
}

export const readLanguage = (value: string): string | undefined => (LANGUAGE.test(value) ? value : undefined);

const within = (value: number, { min, max }: Range): number => Math.min(max, Math.max(min, value));
const round = (value: number): number => Math.round(value * 1000) / 1000;
