import { useEffect, useState } from "react";

/** State that outlives the page: what was typed is there again after a reload, or after the session has ended. */
export function useStored(name: string, initial: string): [string, (value: string) => void];
export function useStored(name: string, initial: number): [number, (value: number) => void];
export function useStored<Value extends string | number>(
  name: string,
  initial: Value,
): [Value, (value: Value) => void] {
  const key = `parlance.${name}`;
  const [value, setValue] = useState<Value>(() => read(key, initial));
  useEffect(() => {
    try {
      window.localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // A full or forbidden storage costs the memory, not the page.
    }
  }, [key, value]);
  return [value, setValue];
}

function read<Value>(key: string, initial: Value): Value {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(key) ?? "null");
    return typeof stored === typeof initial ? (stored as Value) : initial;
  } catch {
    return initial;
  }
}
