export interface MicrophoneOptions {
  /** Samples per second; 24000 by default. */
  readonly sampleRate?: number | undefined;
  /** Called with pieces of some hundredths of a second, 16-bit mono. */
  readonly onAudio: (samples: Int16Array) => void;
  /** Closes the microphone. */
  readonly signal?: AbortSignal | undefined;
}

/** An open microphone. */
export interface Microphone {
  close(): void;
}

/**
 * Opens the microphone of a browser, with its echo cancellation: what the page plays is not recorded. Rejects when the user
 * does not allow it.
 */
export async function openMicrophone({ sampleRate = 24_000, onAudio, signal }: MicrophoneOptions): Promise<Microphone> {
  signal?.throwIfAborted();
  if (navigator.mediaDevices === undefined) {
    throw new Error("The browser allows the microphone only on https pages and on localhost.");
  }
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true },
  });
  // The browser resamples.
  const context = new AudioContext({ sampleRate });
  const close = (): void => {
    signal?.removeEventListener("abort", close);
    for (const track of stream.getTracks()) track.stop();
    if (context.state !== "closed") void context.close();
  };
  try {
    signal?.throwIfAborted();
    signal?.addEventListener("abort", close, { once: true });
    await context.audioWorklet.addModule(new URL("./microphone-worklet.js", import.meta.url));
    signal?.throwIfAborted();
    const collector = new AudioWorkletNode(context, "parlance-microphone", { numberOfOutputs: 0 });
    collector.port.onmessage = ({ data }: MessageEvent<Int16Array>) => onAudio(data);
    context.createMediaStreamSource(stream).connect(collector);
    return { close };
  } catch (error) {
    close();
    throw error;
  }
}
