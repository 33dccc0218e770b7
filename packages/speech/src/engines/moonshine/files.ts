export type MoonshineFiles = Readonly<Record<"encoder" | "decoder" | "vocabulary", string>>;
