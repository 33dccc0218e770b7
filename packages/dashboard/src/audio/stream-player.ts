export type PlayerState = "waiting" | "playing" | "paused" | "ended";

/** Plays samples while they arrive. Everything received can be played again, from any position. */
export interface StreamPlayer {
  readonly sampleRate: number;
  readonly state: PlayerState;
  /** Seconds received so far. */
  readonly duration: number;
  /** The playback position, in seconds. */
  readonly position: number;
  /** How often playback stopped because no samples were available. */
  readonly gaps: number;
  /** The output passes through it. */
  readonly analyser: AnalyserNode;
  push(samples: Float32Array<ArrayBuffer>): void;
  /** No more samples follow. */
  end(): void;
  play(): void;
  pause(): void;
  seek(seconds: number): void;
  /** The pieces in order. */
  pieces(): readonly Float32Array<ArrayBuffer>[];
  close(): void;
}

/** A source scheduled for the current time starts late. */
const LEAD_SECONDS = 0.03;

export function createStreamPlayer(sampleRate: number): StreamPlayer {
  const context = new AudioContext({ sampleRate });
  const analyser = context.createAnalyser();
  analyser.fftSize = 1024;
  analyser.connect(context.destination);
  const pieces: Float32Array<ArrayBuffer>[] = [];
  /** Where each piece starts, in seconds. */
  const starts: number[] = [];
  let sources: AudioBufferSourceNode[] = [];
  let duration = 0;
  let complete = false;
  let shouldPlay = true;
  let gaps = 0;
  /** While playing: the context's time at which second 0 would have been played. */
  let origin: number | undefined;
  let pausedAt = 0;

  const currentSecond = () => (origin === undefined ? pausedAt : context.currentTime - origin);
  const position = () => Math.max(0, Math.min(currentSecond(), duration));
  const atEnd = () => complete && position() >= duration - 0.001;

  function schedule(index: number, from: number): void {
    const samples = pieces[index];
    const start = starts[index] ?? 0;
    if (samples === undefined || origin === undefined) return;
    const skipped = Math.max(0, from - start);
    const length = samples.length / sampleRate;
    if (skipped >= length) return;
    const buffer = context.createBuffer(1, samples.length, sampleRate);
    buffer.copyToChannel(samples, 0);
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(analyser);
    source.start(origin + start + skipped, skipped);
    source.onended = () => {
      sources = sources.filter((other) => other !== source);
    };
    sources.push(source);
  }

  function stopSources(): void {
    for (const source of sources) {
      source.onended = null;
      source.stop();
    }
    sources = [];
  }

  function playFrom(seconds: number): void {
    stopSources();
    origin = context.currentTime + LEAD_SECONDS - seconds;
    for (const index of pieces.keys()) schedule(index, seconds);
    void context.resume();
  }

  function stopPlayback(): void {
    pausedAt = position();
    origin = undefined;
    stopSources();
  }

  return {
    sampleRate,
    analyser,
    get state() {
      if (atEnd()) return "ended";
      if (!shouldPlay) return "paused";
      return currentSecond() < duration && origin !== undefined ? "playing" : "waiting";
    },
    get duration() {
      return duration;
    },
    get position() {
      return position();
    },
    get gaps() {
      return gaps;
    },
    push(samples) {
      if (samples.length === 0) return;
      pieces.push(samples);
      starts.push(duration);
      const startsAt = duration;
      duration += samples.length / sampleRate;
      if (!shouldPlay) return;
      if (origin === undefined) {
        playFrom(pausedAt);
        return;
      }
      const late = context.currentTime + LEAD_SECONDS - (origin + startsAt);
      if (late > 0 && sources.length === 0) {
        // There was an audible gap: the following audio is delayed by its length.
        gaps += 1;
        origin += late;
      }
      schedule(pieces.length - 1, startsAt);
    },
    end() {
      complete = true;
    },
    play() {
      shouldPlay = true;
      playFrom(atEnd() ? 0 : position());
    },
    pause() {
      stopPlayback();
      shouldPlay = false;
    },
    seek(seconds) {
      const to = Math.max(0, Math.min(seconds, duration));
      if (shouldPlay && !atEnd()) playFrom(to);
      else {
        origin = undefined;
        pausedAt = to;
        shouldPlay = false;
      }
    },
    pieces: () => pieces,
    close() {
      stopSources();
      void context.close();
    },
  };
}
