import type { Prices } from "@parlance/protocol";
import { client } from "./server.ts";
import { useLoad } from "./use-load.ts";

/** The prices of the server; undefined until they are loaded. */
export function usePrices(): Prices | undefined {
  const { data } = useLoad((signal) => client.wallet.prices({ signal }), []);
  return data && { textByte: data.text_byte, transcribedSecond: data.transcribed_second };
}
