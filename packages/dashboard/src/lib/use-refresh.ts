import { useEffect } from "react";

const REFRESH_MS = 5000;

/** Reloads every few seconds while the page is visible, and immediately when it becomes visible again. */
export function useRefresh(reload: () => void, active: boolean, everyMs = REFRESH_MS): void {
  useEffect(() => {
    if (!active) return;
    const refresh = () => {
      if (document.visibilityState === "visible") reload();
    };
    const timer = setInterval(refresh, everyMs);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [reload, active, everyMs]);
}
