import type { ButtonHTMLAttributes } from "react";
import { Icon, type IconName } from "./icon.tsx";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: "plain" | "primary" | "danger" | "quiet";
  readonly icon?: IconName;
  /** Shows a spinner and disables the button. */
  readonly busy?: boolean;
}

export function Button({ look = "plain", icon, busy = false, children, className = "", ...rest }: ButtonProps) {
  const square = children === undefined ? "square" : "";
  return (
    <button
      type="button"
      {...rest}
      className={`button ${look} ${square} ${className}`}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
