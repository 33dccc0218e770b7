export type WhisperFiles = Readonly<Record<"config" | "generation" | "tokenizer" | "encoder" | "decoder", string>>;
