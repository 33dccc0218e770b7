/** Holds a node's lock until it is killed. */
import { createNodeLocks } from "../stores/node-locks.ts";

const [folder = "", id = ""] = process.argv.slice(2);
createNodeLocks(folder).hold(id);
process.on("disconnect", () => process.exit(0));
process.send?.("held");
