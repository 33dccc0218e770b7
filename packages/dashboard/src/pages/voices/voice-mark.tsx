import type { VoiceModel } from "@parlance/protocol";

const BARS = 5;

/** The picture of a voice; without one, a mark that is always the same for the same voice. */
export function VoiceMark({ voice }: { readonly voice: Pick<VoiceModel, "_id" | "cover_image"> | undefined }) {
  if (voice?.cover_image) return <img className="voice-mark" src={voice.cover_image} alt="" loading="lazy" />;
  const digits = [...(voice?._id ?? "0".repeat(32))].map((digit) => Number.parseInt(digit, 16) || 0);
  const hue = ((digits[0] ?? 0) * 16 + (digits[1] ?? 0)) * 1.41;
  const path = Array.from({ length: BARS }, (_, bar) => {
    const height = 24 + (digits[bar + 2] ?? 0) * 3;
    return `M${bar * 14 + 22} ${50 - height / 2}v${height}`;
  }).join("");
  return (
    <svg className="voice-mark" viewBox="0 0 100 100" aria-hidden="true" style={{ background: `hsl(${hue} 45% 42%)` }}>
      <path d={path} stroke="#fff" strokeWidth="7" strokeLinecap="round" />
    </svg>
  );
}
