import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import { formatClock } from "../lib/format.ts";

export interface Wave {
  readonly sampleRate: number;
  readonly duration: number;
  readonly position: number;
  pieces(): readonly Float32Array[];
}

interface WaveformProps {
  /** Read for every frame. */
  readonly wave: Wave;
  /** False stops the drawing. */
  readonly live: boolean;
  readonly onSeek: (seconds: number) => void;
}

const BAR = 3;
const GAP = 1;
const STEP_SECONDS = 5;
const HEIGHT = 88;

/** The waveform received so far, the played part in colour. A slider for pointer and keyboard. */
export function Waveform({ wave, live, onSeek }: WaveformProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const slider = useRef<HTMLDivElement>(null);
  const redraw = useRef<() => void>(() => {});
  useEffect(() => {
    const draw = createDrawing(wave);
    let frame = 0;
    const next = () => {
      if (canvas.current) draw(canvas.current);
      slider.current?.setAttribute("aria-valuenow", wave.position.toFixed(1));
      slider.current?.setAttribute("aria-valuemax", wave.duration.toFixed(1));
      slider.current?.setAttribute("aria-valuetext", `${formatClock(wave.position)} of ${formatClock(wave.duration)}`);
      if (live) frame = requestAnimationFrame(next);
    };
    redraw.current = next;
    next();
    const onResize = () => canvas.current && draw(canvas.current);
    window.addEventListener("resize", onResize);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("resize", onResize);
    };
  }, [wave, live]);
  const seekTo = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onSeek(((event.clientX - left) / width) * wave.duration);
    if (!live) redraw.current();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -STEP_SECONDS, ArrowRight: STEP_SECONDS, Home: -wave.duration, End: wave.duration }[
      event.key
    ];
    if (step === undefined) return;
    event.preventDefault();
    onSeek(wave.position + step);
    if (!live) redraw.current();
  };
  return (
    <div
      ref={slider}
      className="wave"
      role="slider"
      tabIndex={0}
      aria-label="Playback position"
      aria-valuemin={0}
      aria-valuenow={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        seekTo(event);
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && seekTo(event)}
      onKeyDown={onKeyDown}
    >
      <canvas ref={canvas} height={HEIGHT} />
    </div>
  );
}

/** Peak of every hundredth of a second, computed once and drawn often. */
function createDrawing(wave: Wave): (canvas: HTMLCanvasElement) => void {
  const peaks: number[] = [];
  const slice = Math.max(1, Math.round(wave.sampleRate / 100));
  let read = 0;
  let filled = 0;
  let peak = 0;
  const updatePeaks = () => {
    const pieces = wave.pieces();
    for (; read < pieces.length; read++) {
      for (const sample of pieces[read] ?? []) {
        peak = Math.max(peak, Math.abs(sample));
        if (++filled < slice) continue;
        peaks.push(peak);
        filled = 0;
        peak = 0;
      }
    }
  };
  return (canvas) => {
    updatePeaks();
    const width = canvas.clientWidth;
    const scale = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
    canvas.height = HEIGHT * scale;
    const context = canvas.getContext("2d");
    if (!context) return;
    const style = getComputedStyle(canvas);
    const [done, rest] = [style.getPropertyValue("--accent"), style.getPropertyValue("--line-strong")];
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, HEIGHT);
    const bars = Math.floor(width / (BAR + GAP));
    const perBar = Math.max(peaks.length / bars, 1);
    const played = wave.duration > 0 ? (wave.position / wave.duration) * Math.min(bars, peaks.length / perBar) : 0;
    for (let bar = 0; bar < bars && bar * perBar < peaks.length; bar++) {
      let loudest = 0;
      const to = Math.min(peaks.length, Math.ceil((bar + 1) * perBar));
      for (let index = Math.floor(bar * perBar); index < to; index++) loudest = Math.max(loudest, peaks[index] ?? 0);
      const height = Math.max(2, Math.sqrt(loudest) * (HEIGHT - 8));
      context.fillStyle = bar < played ? done : rest;
      context.fillRect(bar * (BAR + GAP), (HEIGHT - height) / 2, BAR, height);
    }
  };
}
