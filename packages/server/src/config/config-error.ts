/** A setting that cannot be used. Its message is the one line that the operator needs. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ConfigError";
  }
}
