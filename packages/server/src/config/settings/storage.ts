import { defaultModelsDirectory } from "@parlance/speech";
import { optionalSetting, setting } from "../setting.ts";
import { folder, postgresUrl } from "../value-types.ts";

export const storage = {
  data: setting({
    name: "PARLANCE_DATA",
    type: folder,
    default: "./data",
    meaning:
      "Folder of the database, and of uploads while they are processed. It is created when it does not exist. Use an absolute path in production.",
  }),
  databaseUrl: optionalSetting({
    name: "PARLANCE_DATABASE_URL",
    type: postgresUrl,
    unset: "SQLite in `PARLANCE_DATA`",
    secret: true,
    meaning:
      "PostgreSQL database to use instead of SQLite. Needed when several servers share their accounts: [operating.md](operating.md).",
  }),
  models: setting({
    name: "PARLANCE_MODELS",
    type: folder,
    default: "~/.cache/parlance/models",
    defaultValue: () => defaultModelsDirectory({}),
    meaning:
      "Folder of the model files. Also used by `parlance say`, `transcribe` and `models`. Change it when the home directory is small or read-only.",
  }),
};
