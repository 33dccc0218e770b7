import type { Transport } from "../pool/remote/transport.ts";

/** A transport whose messages stop in both directions, without any sign, when it is cut: like a lost network. */
export function severable(transport: Transport): Transport & { cut(): void } {
  let isCut = false;
  return {
    get connected() {
      return transport.connected;
    },
    publish(subject, payload, reply) {
      if (!isCut) transport.publish(subject, payload, reply);
    },
    subscribe: (subject, onMessage) =>
      transport.subscribe(subject, (payload, reply) => {
        if (!isCut) onMessage(payload, reply);
      }),
    onChange: (listener) => transport.onChange(listener),
    close: () => transport.close(),
    cut() {
      isCut = true;
    },
  };
}
