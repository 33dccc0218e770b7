/** The languages in which requests are shown as code. */
export const CODE_LANGUAGES = [
  { value: "curl", label: "curl" },
  { value: "typescript", label: "TypeScript" },
  { value: "python", label: "Python" },
] as const;
export type CodeLanguage = (typeof CODE_LANGUAGES)[number]["value"];
