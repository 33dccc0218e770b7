import { pack, unpack } from "../pool/remote/codec.ts";
import { WIRE_VERSION } from "../pool/remote/frames.ts";
import type { Transport } from "../pool/remote/transport.ts";

const REPORTS = ["parlance.capacity", "parlance.demand"];

/** A transport whose messages say that they are of another version, as those of a program of another release. */
export function ofVersion(transport: Transport, version: number): Transport {
  if (version === WIRE_VERSION) return transport;
  return {
    ...transport,
    get connected() {
      return transport.connected;
    },
    publish(subject, payload, reply) {
      const changed = REPORTS.includes(subject)
        ? pack({ ...(unpack(payload) as object), version, fieldOfThatVersion: true })
        : Uint8Array.from(payload);
      if (!REPORTS.includes(subject)) changed[0] = version;
      transport.publish(subject, changed, reply);
    },
  };
}
