export type PiperFiles = Readonly<Record<"model" | "tokens", string>>;
