import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

type Say = (message: string) => void;
const SayContext = createContext<Say>(() => {});

/** A short word that something went well. Faults are told where they happened, and stay. */
export const useToast = (): Say => useContext(SayContext);

const SHOWN_MS = 4000;
let nextId = 1;

export function Toasts({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly { readonly id: number; readonly message: string }[]>([]);
  const say = useCallback((message: string) => {
    const id = nextId++;
    setShown((before) => [...before.slice(-3), { id, message }]);
    setTimeout(() => setShown((before) => before.filter((toast) => toast.id !== id)), SHOWN_MS);
  }, []);
  return (
    <SayContext value={say}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {shown.map(({ id, message }) => (
          <div key={id}>{message}</div>
        ))}
      </div>
    </SayContext>
  );
}
