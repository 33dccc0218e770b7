import { defaultModelsDirectory } from "@parlance/speech/settings";
import { optionalSetting, setting } from "../setting.ts";
import { folder, integer, oneOf, postgresUrl } from "../value-types.ts";

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
  history: setting({
    name: "PARLANCE_HISTORY",
    type: oneOf(["dashboard", "all", "off"]),
    default: "dashboard",
    meaning:
      "Whose speech is kept with its audio for the account: `dashboard` of signed-in browsers, `all` also of API keys. Transcripts are kept by the dashboard, unless `off`.",
  }),
  historyDays: setting({
    name: "PARLANCE_HISTORY_DAYS",
    type: integer(1, 3650),
    default: "30",
    meaning: "Days after which speech and transcripts in the history are deleted.",
  }),
  historyMb: setting({
    name: "PARLANCE_HISTORY_MB",
    type: integer(1, 1_000_000),
    default: "500",
    meaning:
      "Audio in the history of one account, in MB. The oldest entries are deleted. A minute of speech takes up to 0.7 MB.",
  }),
  auditDays: setting({
    name: "PARLANCE_AUDIT_DAYS",
    type: integer(1, 3650),
    default: "365",
    meaning:
      "Days after which entries of the [audit log](accounts.md#audit-log) are deleted. At most 200 000 are kept, the newest ones.",
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
