/** The options of `parlance listen`. */
export interface ListenCommandOptions {
  readonly language?: string;
  readonly rate: string;
  readonly json?: boolean;
  readonly local?: boolean;
  readonly server?: string;
  readonly key?: string;
}
