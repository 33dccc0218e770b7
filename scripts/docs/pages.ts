import { configurationPage } from "./configuration.ts";

export interface GeneratedPage {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** The pages of docs/ that are made from the code. */
export function generatedPages(): readonly GeneratedPage[] {
  return [{ path: "docs/configuration.md", text: configurationPage() }];
}
