/** One of several processes that use the same wallets at the same time. Its parent sends the commands. */
import { openStore } from "../stores/open-store.ts";
import { runWalletCommands, type WalletRun } from "./wallet-commands.ts";

const [data = "", databaseUrl = ""] = process.argv.slice(2);
const store = await openStore({ data, databaseUrl: databaseUrl === "" ? undefined : databaseUrl });
process.on("message", (run: WalletRun) => {
  runWalletCommands(store, run).then(
    (outcomes) => process.send?.({ outcomes }),
    (error: unknown) => process.send?.({ fault: error instanceof Error ? error.stack : String(error) }),
  );
});
process.on("disconnect", () => void store.close());
process.send?.("ready");
