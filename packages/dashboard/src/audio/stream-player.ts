export type PlayerState = "waiting" | "playing" | "paused" | "ended";

/** Plays samples while they come. Everything that came can be played again, from any place. */
export interface StreamPlayer {
  readonly sampleRate: number;
  readonly state: PlayerState;
  /** Seconds that are there so far. */
  readonly duration: number;
  /** Seconds, where it is heard now. */
  readonly position: number;
  /** How often the sound had to stop because nothing was there to play. */
  readonly gaps: number;
  /** What is heard passes through it. */
  readonly analyser: AnalyserNode;
  push(samples: Float32Array<ArrayBuffer>): void;
  /** Nothing more will come. */
  end(): void;
  play(): void;
  pause(): void;
  seek(seconds: number): void;
  /** The pieces in order. */
  pieces(): readonly Float32Array<ArrayBuffer>[];
  close(): void;
}

/** Scheduling exactly at "now" is already late. */
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
  let wanted = true;
  let gaps = 0;
  /** While playing: the context's time at which second 0 would have been heard. */
  let origin: number | undefined;
  let restingAt = 0;

  const heardAt = () => (origin === undefined ? restingAt : context.currentTime - origin);
  const position = () => Math.max(0, Math.min(heardAt(), duration));
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

  function silence(): void {
    for (const source of sources) {
      source.onended = null;
      source.stop();
    }
    sources = [];
  }

  function playFrom(seconds: number): void {
    silence();
    origin = context.currentTime + LEAD_SECONDS - seconds;
    for (const index of pieces.keys()) schedule(index, seconds);
    void context.resume();
  }

  function rest(): void {
    restingAt = position();
    origin = undefined;
    silence();
  }

  return {
    sampleRate,
    analyser,
    get state() {
      if (atEnd()) return "ended";
      if (!wanted) return "paused";
      return heardAt() < duration && origin !== undefined ? "playing" : "waiting";
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
      if (!wanted) return;
      if (origin === undefined) {
        playFrom(restingAt);
        return;
      }
      const late = context.currentTime + LEAD_SECONDS - (origin + startsAt);
      if (late > 0 && sources.length === 0) {
        // The listener heard a pause; what follows moves behind it.
        gaps += 1;
        origin += late;
      }
      schedule(pieces.length - 1, startsAt);
    },
    end() {
      complete = true;
    },
    play() {
      wanted = true;
      playFrom(atEnd() ? 0 : position());
    },
    pause() {
      rest();
      wanted = false;
    },
    seek(seconds) {
      const to = Math.max(0, Math.min(seconds, duration));
      if (wanted && !atEnd()) playFrom(to);
      else {
        origin = undefined;
        restingAt = to;
        wanted = false;
      }
    },
    pieces: () => pieces,
    close() {
      silence();
      void context.close();
    },
  };
}
