import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

type ShowToast = (message: string) => void;
const ToastContext = createContext<ShowToast>(() => {});

/** Shows a short message after a success. Errors are shown where they happened, and stay. */
export const useToast = (): ShowToast => useContext(ToastContext);

const SHOWN_MS = 4000;
let nextId = 1;

export function Toasts({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly { readonly id: number; readonly message: string }[]>([]);
  const showToast = useCallback((message: string) => {
    const id = nextId++;
    setShown((before) => [...before.slice(-3), { id, message }]);
    setTimeout(() => setShown((before) => before.filter((toast) => toast.id !== id)), SHOWN_MS);
  }, []);
  return (
    <ToastContext value={showToast}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {shown.map(({ id, message }) => (
          <div key={id}>{message}</div>
        ))}
      </div>
    </ToastContext>
  );
}
