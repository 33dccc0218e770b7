/**
 * The demuxers and decoders that an uploaded file may use. FFmpeg has hundreds more; each is code that processes untrusted
 * input, and some (playlists, image sequences, metadata scripts) open other files or URLs.
 */
export const DEMUXERS: readonly string[] = [
  "wav",
  "w64",
  "aiff",
  "au",
  "caf",
  "mp3",
  "aac",
  "flac",
  "ogg",
  "mov", // mp4, m4a and 3gp too
  "matroska", // webm too
  "amr",
  "ac3",
  "eac3",
  "asf",
  "avi",
  "flv",
  "mpegts",
];

const PCM_WITH_ENDIANNESS = ["s16", "s24", "s32", "s64", "u16", "u24", "u32", "f32", "f64"];

export const DECODERS: readonly string[] = [
  ...PCM_WITH_ENDIANNESS.flatMap((kind) => [`pcm_${kind}le`, `pcm_${kind}be`]),
  "pcm_s8",
  "pcm_u8",
  "pcm_alaw",
  "pcm_mulaw",
  "adpcm_ms",
  "adpcm_ima_wav",
  "adpcm_ima_qt",
  "g722",
  "g726",
  "gsm",
  "gsm_ms",
  "mp2float",
  "mp3float",
  "aac",
  "aac_latm",
  "ac3",
  "eac3",
  "alac",
  "flac",
  "opus",
  "vorbis",
  "speex",
  "amrnb",
  "amrwb",
  "wmav1",
  "wmav2",
  "wmapro",
];
