/** A recording decoded by the browser and mixed to one channel. */
export interface DecodedRecording {
  readonly samples: Float32Array<ArrayBuffer>;
  readonly sampleRate: number;
}

const SAMPLE_RATE = 22_050;

/** Throws when the browser does not support the format. The server may support it. */
export async function decodeRecording(file: Blob): Promise<DecodedRecording> {
  const context = new OfflineAudioContext(1, 1, SAMPLE_RATE);
  const decoded = await context.decodeAudioData(await file.arrayBuffer());
  const samples = new Float32Array(decoded.length);
  for (let channel = 0; channel < decoded.numberOfChannels; channel++) {
    const data = decoded.getChannelData(channel);
    for (let index = 0; index < data.length; index++) {
      samples[index] = (samples[index] ?? 0) + (data[index] ?? 0) / decoded.numberOfChannels;
    }
  }
  return { samples, sampleRate: decoded.sampleRate };
}
