// Pulls in a process of its own: argv is the store's folder and the models as JSON; prints each step once.
import { createModelStore } from "../models/store.ts";

const [directory = "", models = "[]"] = process.argv.slice(2);
const store = createModelStore({
  directory,
  models: JSON.parse(models),
  // Long enough for a slow machine.
  timeouts: { backoffMs: 10, stallMs: 300_000 },
});
let last = "";
await store.pull(["all"], {
  onProgress: ({ model, step }) => {
    if (last !== `${model} ${step}`) process.stdout.write(`${model} ${step}\n`);
    last = `${model} ${step}`;
  },
});
