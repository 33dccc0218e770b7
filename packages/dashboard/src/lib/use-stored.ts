import { useEffect, useState } from "react";

/** State in local storage: it survives a reload and the end of the session. */
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
      // Without storage, the value lasts until the page is closed.
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
