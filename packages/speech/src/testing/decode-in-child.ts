import { access } from "node:fs/promises";
import { until } from "../../../../tests/support/until.ts";
import { createDecoder } from "../audio/decode/index.ts";

/** A parent process of a decoder that a test can kill: reports the decoder's pid when it decodes. */
const [source = "", target = ""] = process.argv.slice(2);
const decoder = createDecoder({ processes: 1 });
const decoding = decoder.decode(source, target, { sampleRate: 16_000 }, new AbortController().signal);
await until(() =>
  access(target).then(
    () => true,
    () => false,
  ),
);
process.send?.(decoder.processes()[0]?.pid);
await decoding;
await decoder.close();
