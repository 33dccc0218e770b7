/** Files outside of the database, by key. Objects are never changed: a new file gets a new key. */
export interface ObjectStorage {
  put(key: string, file: { readonly bytes: Buffer; readonly type: string }, signal: AbortSignal): Promise<void>;
  /** Undefined when there is no such object. Refuses to read more than `maxBytes`. */
  get(key: string, maxBytes: number, signal: AbortSignal): Promise<Buffer | undefined>;
  /** Also when there is no such object. */
  remove(key: string, signal: AbortSignal): Promise<void>;
  /** The keys, up to 1000 at a time. */
  list(signal: AbortSignal): AsyncIterable<readonly string[]>;
  /** Throws when objects cannot be written. */
  ping(signal: AbortSignal): Promise<void>;
}

/** The object storage does not answer, or refuses the request. The message is one line for the operator. */
export class ObjectStorageError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ObjectStorageError";
  }
}
