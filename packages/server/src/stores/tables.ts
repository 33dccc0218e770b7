import type { ColumnType, Generated } from "kysely";

/** The columns of each table. Only types that SQLite and PostgreSQL share: text, integers and bytes. */
export interface Tables {
  users: {
    id: string;
    role: string;
    nickname: string;
    email: string | null;
    created_at: string;
    plan: Generated<string>;
    password_hash: string | null;
    disabled_at: string | null;
    updated_at: Generated<string>;
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
    /** Separated by spaces; null: all. */
    scopes: string | null;
    /** JSON of the limits that are set; null: none. */
    limits: string | null;
  };
  sessions: {
    id: string;
    user_id: string;
    hash: string;
    created_at: string;
    last_seen_at: string;
    expires_at: string;
    address: string;
    user_agent: string;
    opened_by: string;
  };
  sign_in_links: {
    hash: string;
    user_id: string;
    created_at: string;
    expires_at: string;
  };
  write_probes: {
    id: number;
    written_at: string;
  };
  sign_in_attempts: {
    subject: string;
    count: number;
    last_at: string;
    blocked_until: string;
  };
  nodes: {
    id: string;
    started_at: string;
    beat_at: string;
  };
  wallets: {
    user_id: string;
    package_id: string;
    credit_id: string;
    plan: string;
    total: number;
    balance: number;
    extra: number;
    topped_up: number;
    period: number;
    anchor_at: string;
    period_end: string;
    entries: number;
    created_at: string;
    updated_at: string;
  };
  ledger: {
    user_id: string;
    number: number;
    kind: string;
    bucket: string;
    amount: number;
    request_id: string;
    at: string;
    note: string | null;
    made_by: string | null;
  };
  key_spending: {
    key_id: string;
    day: string;
    day_credits: number;
    month: string;
    month_credits: number;
    total_credits: number;
  };
  reservations: {
    user_id: string;
    request_id: string;
    node: string;
    operation: string;
    from_package: number;
    from_extra: number;
    delivered: number;
    period: number;
    opened_at: string;
    expires_at: string;
    key_id: string | null;
  };
  subscriptions: {
    user_id: string;
    provider_subscription_id: string | null;
    provider_price_id: string | null;
    billing_period: string | null;
    current_period_end: string | null;
    cancel_at_period_end: number | null;
    cancel_at: string | null;
    scheduled_change: string | null;
    last_synced_at: string | null;
    subscription_currency: string | null;
    has_used_trial: number;
  };
  usage: {
    user_id: string;
    day: string;
    key_id: string;
    operation: string;
    requests: number;
    characters: number;
    audio_ms: number;
    credits: number;
    refused: number;
    failed: number;
    first_audio: string;
  };
  voices: {
    id: string;
    user_id: string | null;
    key_id: string | null;
    consent: string;
    title: string;
    title_folded: string;
    description: string;
    tags: string;
    languages: string;
    visibility: string;
    state: string;
    default_text: string;
    cover: string;
    like_count: number;
    task_count: number;
    place: number;
    engine: string;
    speaker: string;
    pace: number;
    pitch: number;
    pitch_range: number;
    /** Not used any more. */
    similarity: number | null;
    version: number;
    refinement: string;
    refining_node: string | null;
    refinement_tries: number;
    /** The version whose refinement has ended. */
    refined_version: number | null;
    /** In thousandths, before the refinement of `refined_version` and after it. */
    similarity_before: number | null;
    similarity_after: number | null;
    created_at: string;
    updated_at: string;
  };
  voice_labels: {
    voice_id: string;
    kind: string;
    value: string;
  };
  pronunciations: {
    user_id: string;
    list: string;
  };
  voice_aliases: {
    reference_id: string;
    voice: string;
  };
  voice_likes: {
    voice_id: string;
    user_id: string;
  };
  voice_blobs: {
    voice_id: string;
    kind: string;
    number: number;
    type: string;
    text: string | null;
    /** SQLite returns an ArrayBuffer, PostgreSQL a Buffer. */
    bytes: ColumnType<Buffer | ArrayBuffer, Buffer, Buffer>;
    /** The key of the object that holds the bytes instead. */
    object: string | null;
  };
  voice_objects: {
    key: string;
    voice_id: string;
    state: string;
    size: number;
    sha256: string;
    created_at: string;
  };
  history: {
    id: string;
    user_id: string;
    kind: string;
    title: string;
    text: string;
    /** The folded title and start of the text. */
    searched: string;
    /** As JSON. */
    words: string;
    voice: string;
    model: string;
    language: string | null;
    duration_ms: number;
    complete: number;
    trace_id: string | null;
    audio_type: string | null;
    audio_bytes: number;
    created_at: string;
  };
  projects: {
    id: string;
    user_id: string;
    title: string;
    /** JSON */
    settings: string;
    /** JSON */
    chapters: string;
    paragraphs: number;
    job: string;
    job_node: string | null;
    job_error: string | null;
    job_tries: number;
    job_at: string;
    created_at: string;
    updated_at: string;
  };
  project_audio: {
    project_id: string;
    hash: string;
    size: number;
    duration_ms: number;
    /** JSON */
    words: string;
    bytes: ColumnType<Buffer | ArrayBuffer, Buffer, Buffer>;
  };
  history_audio: {
    entry_id: string;
    /** SQLite returns an ArrayBuffer, PostgreSQL a Buffer. */
    bytes: ColumnType<Buffer | ArrayBuffer, Buffer, Buffer>;
  };
  /** PostgreSQL only. */
  leases: {
    user_id: string;
    places: string;
    full_at: number;
  };
  oidc_identities: {
    issuer: string;
    subject: string;
    user_id: string;
    created_at: string;
  };
  audit_log: {
    id: string;
    at: string;
    action: string;
    actor_id: string | null;
    actor_name: string | null;
    key_id: string | null;
    address: string;
    target_id: string | null;
    target_name: string | null;
    /** JSON. */
    details: string;
    /** Names, ids and the address, folded for the search. */
    searched: string;
  };
  schema_migrations: {
    version: number;
    name: string;
    applied_at: string;
  };
  /** One row: programs that know fewer migrations than this cannot use the database. */
  schema_compatibility: {
    oldest_version: number;
  };
}
