import { useEffect } from "react";
import { useStored } from "./use-stored.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** The chosen theme. "system" follows the system, also when it changes. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useStored("theme", "system");
  const known = THEMES.find((each) => each === theme) ?? "system";
  useEffect(() => {
    const apply = () => {
      const isDark = known === "dark" || (known === "system" && dark.matches);
      document.documentElement.dataset.theme = isDark ? "dark" : "light";
    };
    apply();
    dark.addEventListener("change", apply);
    return () => dark.removeEventListener("change", apply);
  }, [known]);
  return [known, setTheme];
}
