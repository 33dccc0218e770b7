/** The folder of the voices' style tables (`NAME.bin`), the model and its tokenizer. */
export type KokoroFiles = Readonly<Record<"model" | "tokenizer" | "voices", string>>;
