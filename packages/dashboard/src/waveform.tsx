const HEIGHTS = [18, 34, 52, 28, 66, 88, 46, 72, 94, 60, 84, 40, 58, 30, 46, 20];
const SPACING = 12;

const path = HEIGHTS.map((height, index) => `M${index * SPACING + 6} ${50 - height / 2}v${height}`).join("");

/** A still picture of speech, the mark of the house. */
export function Waveform() {
  return (
    <svg className="waveform" viewBox={`0 0 ${HEIGHTS.length * SPACING} 100`} role="img" aria-label="A sound wave">
      <path d={path} />
    </svg>
  );
}
