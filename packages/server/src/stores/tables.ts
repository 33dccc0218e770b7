/** The tables as SQL has them. Only types that SQLite and PostgreSQL share: text and integers. */
export interface Tables {
  users: {
    id: string;
    role: string;
    nickname: string;
    email: string | null;
    created_at: string;
  };
  api_keys: {
    id: string;
    user_id: string;
    name: string;
    prefix: string;
    hash: string;
    created_at: string;
    expires_at: string | null;
    revoked_at: string | null;
    last_used_at: string | null;
  };
  schema_migrations: {
    version: number;
    name: string;
    applied_at: string;
  };
}
