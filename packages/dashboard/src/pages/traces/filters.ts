import { OPERATIONS, type TracesQuery } from "@parlance/protocol";

/** Filters are part of the address, so that a filtered list can be linked and survives a reload. */
export interface Filters {
  readonly status: "" | "ok" | "error";
  readonly operation: "" | (typeof OPERATIONS)[number];
  /** As typed. */
  readonly min_ms: string;
  readonly max_ms: string;
  /** The requests of all accounts. Only for admins. */
  readonly all: boolean;
}

const STATUSES = ["ok", "error"] as const;

export function readFilters(query: URLSearchParams): Filters {
  return {
    status: STATUSES.find((each) => each === query.get("status")) ?? "",
    operation: OPERATIONS.find((each) => each === query.get("operation")) ?? "",
    min_ms: query.get("min_ms") ?? "",
    max_ms: query.get("max_ms") ?? "",
    all: query.get("all") === "1",
  };
}

export function writeFilters({ all, ...filters }: Filters): string {
  const given = Object.entries(filters).filter(([, value]) => value !== "");
  const query = new URLSearchParams([...given, ...(all ? [["all", "1"]] : [])]).toString();
  return query === "" ? "traces" : `traces?${query}`;
}

export function isFiltered({ status, operation, min_ms, max_ms }: Filters): boolean {
  return [status, operation, min_ms, max_ms].some((value) => value !== "");
}

/** The query for the server. Numbers that are not valid yet are left out. */
export function toQuery({ status, operation, min_ms, max_ms }: Filters): TracesQuery {
  const minMs = toMs(min_ms);
  const maxMs = toMs(max_ms);
  return {
    ...(status === "" ? {} : { status }),
    ...(operation === "" ? {} : { operation }),
    ...(minMs === undefined ? {} : { min_ms: minMs }),
    ...(maxMs === undefined ? {} : { max_ms: maxMs }),
  };
}

const MAX_MS = 86_400_000;

function toMs(typed: string): number | undefined {
  const value = typed.trim() === "" ? Number.NaN : Number(typed);
  return value >= 0 ? Math.min(value, MAX_MS) : undefined;
}
