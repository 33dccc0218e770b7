import { createMachine, type Machine } from "../pool/remote/machine.ts";
import { createNatsTransport } from "../pool/remote/nats-transport.ts";
import { speechKind } from "../pool/remote/remote-pool.ts";
import { speechService } from "../worker/services.ts";
import { createTonePool, type TonePoolOptions } from "./tone-pool.ts";

/** A worker machine that makes tones, as the engine of cloned voices. */
export async function joinToneMachine(url: string, name: string, options: TonePoolOptions = {}): Promise<Machine> {
  const service = await speechService(createTonePool(options), options.cost ?? 0.1);
  const services = new Map([[speechKind("kokoro"), service]]);
  return createMachine(createNatsTransport(url), { name, services: () => services });
}
