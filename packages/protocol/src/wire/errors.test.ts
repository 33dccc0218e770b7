import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { apiError, describeValue, errorBody, shapeError } from "./api-error.ts";
import { errorFromResponse } from "./error-response.ts";
import { ERROR_TABLE, type ErrorRow } from "./error-table.ts";

const rows: readonly (readonly [string, ErrorRow])[] = Object.entries(ERROR_TABLE);

describe("the error table", () => {
  it("has only documented statuses", () => {
    const statuses = [400, 401, 402, 403, 404, 408, 413, 415, 422, 429, 500, 502, 503];
    assert.deepEqual([...new Set(rows.map(([, row]) => row.status))].sort(), statuses);
  });

  it("marks temporary errors as retryable: limits, slow uploads and server errors", () => {
    for (const [code, row] of rows)
      assert.equal(row.retryable, [408, 429].includes(row.status) || row.status >= 500, code);
  });
});

describe("an error", () => {
  it("has a body of exactly status and message", () => {
    const error = apiError("invalid_value", {
      field: "format",
      value: '"flac"',
      allowed: "it must be one of mp3, wav",
    });
    assert.deepEqual(errorBody(error), {
      status: 400,
      message: 'format: "flac" is not allowed, it must be one of mp3, wav',
    });
  });

  it("has the list of issues as its body when the shape is wrong", () => {
    const issues = [{ loc: ["text"], type: "missing", msg: "Field required", in: "body" as const }];
    assert.deepEqual(errorBody(shapeError(issues)), issues);
  });

  it("is read back from a response as it was thrown", () => {
    const thrown = apiError("rate_limited", { limit: 5 }, { retryAfterSeconds: 3, traceId: "abc" });
    const headers: Record<string, string> = { "x-error-code": "rate_limited", "retry-after": "3", "x-trace-id": "abc" };
    const read = errorFromResponse(429, (name) => headers[name] ?? null, JSON.stringify(errorBody(thrown)));
    assert.deepEqual({ ...read }, { ...thrown });
    assert.equal(read.message, thrown.message);
  });

  it("is derived from the status when another server responded", () => {
    const read = errorFromResponse(502, () => null, "<html>Bad gateway</html>");
    assert.equal(read.status, 502);
    assert.equal(read.code, "overloaded");
    assert.equal(read.retryable, true);
    assert.equal(read.message, "HTTP 502");
    assert.equal(errorFromResponse(418, () => null, "").retryable, false);
  });

  it("never quotes a long value in full", () => {
    assert.ok(describeValue("x".repeat(10_000)).length <= 60);
    assert.equal(describeValue(undefined), "undefined");
  });
});
