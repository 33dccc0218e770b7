import { ApiError, type TraceReader } from "@parlance/client";
import type { TraceRecord } from "@parlance/protocol";

/** Adds to an error what the user can do about it. */
export async function withAdvice<Found>(request: Promise<Found>): Promise<Found> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) throw advised(error, "give a key of the server in PARLANCE_API_KEY");
    if (error.status === 403) throw advised(error, "leave --all out to see your own requests");
    throw error;
  }
}

/** One trace, or an error with the reasons why it may be missing. */
export async function withAdviceOn(
  traceId: string,
  traces: TraceReader,
  ofAllAccounts: boolean,
  signal: AbortSignal,
): Promise<TraceRecord> {
  try {
    return await withAdvice(traces.get(traceId, { signal }));
  } catch (error) {
    // `not_found`: the route does not exist, the server is an older version.
    if (!(error instanceof ApiError) || error.status !== 404 || error.code === "not_found") throw error;
    const { kept } = await traces.list({ limit: 1 }, { signal });
    if (kept === 0) throw advised(error, "this server keeps no traces, its PARLANCE_TRACES is 0");
    const scope = ofAllAccounts ? "requests" : "requests, of which you see your own (admins see all with --all)";
    throw new Error(
      `no request of trace ${traceId} is kept: each node keeps its last ${kept} ${scope}, until it stops; parlance trace lists them`,
      { cause: error },
    );
  }
}

function advised(error: ApiError, advice: string): Error {
  return new Error(`${error.message}: ${advice}`, { cause: error });
}
