const BUBBLE =
  "M50 7c25 0 44 16 44 37.5S75 82 50 82c-5 0-9.8-.6-14.3-1.8L13 93l5-21C10.5 65 6 55.3 6 44.5 6 23 25 7 50 7z";
const BARS = "M30 38v13M43.3 27v35M56.6 33v23M70 39v11";

/** The logo: a waveform in a speech bubble. */
export function Mark() {
  return (
    <svg viewBox="0 0 100 100" aria-hidden="true" fill="none">
      <path className="bubble" d={BUBBLE} />
      <path className="bars" d={BARS} strokeWidth="8" strokeLinecap="round" />
    </svg>
  );
}
