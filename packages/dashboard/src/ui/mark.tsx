const HEIGHTS = [30, 64, 94, 56, 78, 38];

/** The logo: a stylized waveform. */
export function Mark() {
  const path = HEIGHTS.map((height, index) => `M${index * 16 + 10} ${50 - height / 2}v${height}`).join("");
  return (
    <svg viewBox="0 0 100 100" aria-hidden="true" fill="none" strokeWidth="9" strokeLinecap="round">
      <path d={path} />
    </svg>
  );
}
