import { WIRE_VERSION } from "../pool/remote/frames.ts";
import { createMachine, type Machine } from "../pool/remote/machine.ts";
import { createNatsTransport } from "../pool/remote/nats-transport.ts";
import { speechKind } from "../pool/remote/remote-pool.ts";
import { speechService } from "../worker/services.ts";
import { ofVersion } from "./of-version.ts";
import { createTonePool, type TonePoolOptions } from "./tone-pool.ts";

/** A worker machine that makes tones, as the engine of cloned voices. */
export async function joinToneMachine(
  url: string,
  name: string,
  { version = WIRE_VERSION, ...options }: TonePoolOptions & { readonly version?: number } = {},
): Promise<Machine> {
  const service = await speechService(createTonePool(options), options.cost ?? 0.1);
  const services = new Map([[speechKind("kokoro"), service]]);
  return createMachine(ofVersion(createNatsTransport(url), version), { name, services: () => services });
}
