export type AudioFormat = "mp3" | "wav" | "pcm" | "opus" | "aac" | "flac" | "ulaw" | "alaw";

/** The format of the audio file that is produced. */
export interface OutputFormat {
  readonly format: AudioFormat;
  readonly sampleRate: number;
  /** kbit/s, mp3 only. */
  readonly mp3Bitrate: number;
  /** bit/s, opus only; "auto" lets the encoder choose. */
  readonly opusBitrate: number | "auto";
}
