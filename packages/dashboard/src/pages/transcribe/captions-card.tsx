import { Button } from "../../ui/button.tsx";
import { Fault } from "../../ui/notice.tsx";
import { addFinished } from "./queue.ts";
import { useCaptions } from "./use-captions.ts";

/** Words of the microphone as they come. What was said is kept when it is stopped. */
export function CaptionsCard({ language }: { readonly language: string }) {
  const captions = useCaptions(({ file, result, traceId }) => addFinished(file, result, traceId));
  const { state, text, partial } = captions;
  return (
    <section className="card stack" aria-label="Live captions" data-state={state}>
      <div className="row apart">
        <h2>Live captions</h2>
        {state === "off" ? (
          <Button icon="transcribe" onClick={() => captions.start(language)}>
            Start captions
          </Button>
        ) : (
          <Button look="danger" icon="stop" busy={state !== "listening"} onClick={captions.stop}>
            Stop captions
          </Button>
        )}
      </div>
      {state === "off" ? (
        <p className="soft small">Speak, and the words appear here. The text is kept when you stop.</p>
      ) : (
        <p className="captions" aria-live="polite">
          {text} <span className="soft">{partial}</span>
        </p>
      )}
      <Fault error={captions.error} />
    </section>
  );
}
