import { noise } from "./signals.ts";

/** Sounds without speech, by name; 8 seconds each. */
export function soundsWithoutSpeech(sampleRate: number): Record<string, Float32Array> {
  const length = 8 * sampleRate;
  const make = (at: (seconds: number) => number) => Float32Array.from({ length }, (_, i) => at(i / sampleRate));
  const white = noise(length, 0.3);
  const chords = make(chord);
  const drums = beat(length, sampleRate);
  return {
    silence: new Float32Array(length),
    "white noise": white,
    "soft white noise": white.map((sample) => sample / 100),
    "pink noise": pinkened(white),
    hum: make((t) => 0.2 * sine(50, t) + 0.1 * sine(100, t) + 0.05 * sine(150, t)),
    chords,
    drums,
    "a band": chords.map((sample, i) => sample + (drums[i] ?? 0)),
    "a melody": make(melody),
    "a wavering tone": make((t) => 0.3 * Math.sin(2 * Math.PI * 300 * t + 3.6 * Math.sin(2 * Math.PI * 5.5 * t))),
    "a dial tone": make((t) => (t % 0.5 < 0.2 ? 0.3 * (sine(697, t) + sine(1336, t)) : 0)),
  };
}

const sine = (hertz: number, seconds: number) => Math.sin(2 * Math.PI * hertz * seconds);

/** A plucked string. */
function pluck(hertz: number, seconds: number): number {
  let sum = 0;
  for (let harmonic = 1; harmonic < 8; harmonic++) sum += sine(hertz * harmonic, seconds) / harmonic;
  return sum * Math.exp(-2 * seconds);
}

function chord(seconds: number): number {
  const chords = [
    [261.6, 329.6, 392],
    [220, 261.6, 329.6],
    [174.6, 220, 261.6],
    [196, 246.9, 293.7],
  ];
  const notes = chords[Math.floor(seconds) % 4] ?? [];
  return notes.reduce((sum, hertz) => sum + 0.08 * pluck(hertz, seconds % 1), 0);
}

function melody(seconds: number): number {
  const step = [0, 4, 7, 12, 9, 5, 2, 11, 14, 7, 16, 4][Math.floor(seconds * 3) % 12] ?? 0;
  return 0.2 * pluck(220 * 2 ** (step / 12), seconds % (1 / 3));
}

function beat(length: number, sampleRate: number): Float32Array {
  const hiss = noise(length, 1, 3);
  return hiss.map((sample, i) => {
    const time = i / sampleRate;
    const inQuarter = time % 0.25;
    const snare = sample * 0.3 * Math.exp(-40 * inQuarter);
    const kick =
      0.6 * Math.sin(2 * Math.PI * (50 + 80 * Math.exp(-30 * (time % 1))) * (time % 1)) * Math.exp(-15 * (time % 1));
    return snare + kick;
  });
}

/** Weakens high tones by 3 dB an octave (Kellet's filter). */
function pinkened(white: Float32Array): Float32Array {
  let [low, middle, high] = [0, 0, 0];
  return white.map((sample) => {
    low = 0.99765 * low + sample * 0.099046;
    middle = 0.963 * middle + sample * 0.2965164;
    high = 0.57 * high + sample * 1.0526913;
    return 0.3 * (low + middle + high + sample * 0.1848);
  });
}
