import { useEffect, useState } from "react";
import { useRecorder } from "../../audio/use-recorder.ts";
import { formatClock } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { Fault } from "../../ui/notice.tsx";
import { addLevel, GOOD_SECONDS, hintOf, NO_LEVEL } from "./recording-level.ts";

/** Texts with many different sounds, and questions and pauses between the statements. */
const PROMPTS = [
  "The old lighthouse stood at the very end of the road, where the wind never rested. Every evening, just before seven, somebody would climb the narrow stairs, light the lamp, and wait for the ships to answer. I have always liked the sound of that silence.",
  "Have you ever watched a market wake up? First the baker pulls back a heavy shutter, then two boys push a cart of oranges over the stones. By nine o'clock everyone is talking at once, and nobody hears the church bell any more.",
  "Please put the blue jar back on the shelf, next to the measuring cups. We need three large eggs, half a pound of sugar, and a pinch of salt. Shall I heat the oven now, or would you rather wait for the others to arrive?",
];

interface VoiceRecorderProps {
  readonly onRecorded: (file: File) => Promise<unknown>;
}

/** Records a text that is read aloud, and says while it does what is wrong with the sound. */
export function VoiceRecorder({ onRecorded }: VoiceRecorderProps) {
  const { recording, seconds, level, error, start, stop } = useRecorder();
  const [prompt, setPrompt] = useState(0);
  const [state, setState] = useState(NO_LEVEL);
  useEffect(
    () => setState((before) => (recording ? addLevel(before, seconds, level) : NO_LEVEL)),
    [recording, seconds, level],
  );
  const finish = async () => {
    const file = await stop();
    setPrompt((before) => (before + 1) % PROMPTS.length);
    if (file) await onRecorded(file);
  };
  const hint = hintOf(state);
  if (!recording) {
    return (
      <div className="stack tight">
        <div>
          <Button icon="record" onClick={() => void start()}>
            Record yourself
          </Button>
        </div>
        <Fault error={error} />
      </div>
    );
  }
  return (
    <section className="recorder stack tight" aria-label="Recording">
      <p>Read aloud, in your usual speaking voice:</p>
      <blockquote>{PROMPTS[prompt]}</blockquote>
      <div className={`level ${hint.kind}`}>
        <meter aria-label="Level" min={0} max={1} low={0.06} high={0.95} optimum={0.5} value={level} />
        <progress aria-label="Length" max={GOOD_SECONDS} value={Math.min(seconds, GOOD_SECONDS)} />
      </div>
      <p role="status" className={`small hint-${hint.kind}`}>
        {hint.text}
      </p>
      <div className="row">
        <Button look="danger" icon="stop" onClick={() => void finish()}>
          Stop ({formatClock(seconds)})
        </Button>
        <Button look="quiet" onClick={() => setPrompt((prompt + 1) % PROMPTS.length)}>
          Another text
        </Button>
      </div>
    </section>
  );
}
