import { useEffect } from "react";

const REFRESH_MS = 5000;

/** Loads again every few seconds while somebody can see it, and at once when they come back to it. */
export function useRefresh(reload: () => void, active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const look = () => {
      if (document.visibilityState === "visible") reload();
    };
    const timer = setInterval(look, REFRESH_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [reload, active]);
}
