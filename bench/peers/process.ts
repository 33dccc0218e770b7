/** A peer in a process of its own: `process.ts NAME PACKAGES`. Answers messages of text or samples with what was measured. */
import { isPeerName, peers } from "./names.ts";

const [name = "", packages = ""] = process.argv.slice(2);
if (!isPeerName(name)) throw new Error(`there is no peer named ${name}`);
const { openPeer } = await peers[name]();
const opened = openPeer(packages);
opened.then(
  () => process.send?.({ ready: true }),
  (error: unknown) => {
    process.send?.({ failed: error instanceof Error ? error.message : String(error) });
    process.disconnect();
  },
);
process.on("message", async (request: { readonly text?: string; readonly samples?: Float32Array }) => {
  const peer = await opened;
  if ("speak" in peer && request.text !== undefined) process.send?.(await peer.speak(request.text));
  if ("transcribe" in peer && request.samples) {
    const start = performance.now();
    const text = await peer.transcribe(request.samples);
    process.send?.({ totalMs: performance.now() - start, text });
  }
});
