import { Button } from "../../ui/button.tsx";
import { Fault, Notice } from "../../ui/notice.tsx";
import type { useSsml } from "./use-ssml.ts";

/** Offers to convert a text that is SSML, and says what was left out. */
export function SsmlNotice({ ssml }: { readonly ssml: ReturnType<typeof useSsml> }) {
  return (
    <>
      {ssml.isSsml && (
        <Notice>
          <div className="row apart">
            <span>This text is SSML. Convert it to a text with marks, which can be spoken.</span>
            <Button onClick={() => void ssml.convert()}>Convert</Button>
          </div>
        </Notice>
      )}
      {ssml.isSsml && <Fault error={ssml.error} />}
      {ssml.ignored.length > 0 && (
        <Notice tone="warn">
          <div className="row apart">
            <span>Without effect, and left out: {ssml.ignored.join(", ")}</span>
            <Button onClick={ssml.dismiss}>OK</Button>
          </div>
        </Notice>
      )}
    </>
  );
}
