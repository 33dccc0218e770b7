import { formatNumber } from "../lib/format.ts";
import { Button } from "./button.tsx";

interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly onChange: (page: number) => void;
}

export function Pager({ page, size, total, onChange }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / size));
  if (pages === 1) return null;
  return (
    <nav className="row apart" aria-label="Pages of the list">
      <span className="small soft number">
        {formatNumber((page - 1) * size + 1)}–{formatNumber(Math.min(total, page * size))} of {formatNumber(total)}
      </span>
      <span className="row">
        <Button disabled={page <= 1} onClick={() => onChange(page - 1)}>
          Back
        </Button>
        <Button disabled={page >= pages} onClick={() => onChange(page + 1)}>
          Next
        </Button>
      </span>
    </nav>
  );
}
