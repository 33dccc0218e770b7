import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { newSpanId, newTraceId, remoteParentOf, traceIdOf } from "./trace.ts";

const trace = "0af7651916cd43dd8448eb211c80319c";
const parent = "b7ad6b7169203331";
const remote = (traceparent: string | string[] | undefined) => remoteParentOf({ traceparent });

const hex = (length: number) =>
  fc
    .array(fc.constantFrom(..."0123456789abcdef"), { minLength: length, maxLength: length })
    .map((digits) => digits.join(""));
const id = (length: number) => hex(length).filter((digits) => !/^0+$/.test(digits));

describe("traceparent", () => {
  it("is continued when it is valid, of this version or a later one", () => {
    for (const [header, flags] of [
      [`00-${trace}-${parent}-00`, 0],
      [`00-${trace}-${parent}-01`, 1],
      [`00-${trace}-${parent}-03`, 3],
      [`00-${trace}-${parent}-ff`, 255],
      [` \t00-${trace}-${parent}-01 `, 1],
      [`01-${trace}-${parent}-01`, 1],
      [`cc-${trace}-${parent}-01-what-the-future-will-be-like`, 1],
      [`fe-${trace}-${parent}-01-`, 1],
    ] as const) {
      const sampled = flags % 2 === 1;
      assert.deepEqual(remote(header), { traceId: trace, parentId: parent, flags, sampled, tracestate: undefined });
      assert.equal(traceIdOf(header), trace);
    }
  });

  for (const [what, header] of [
    ["none", undefined],
    ["nothing", ""],
    ["nonsense", "nonsense"],
    ["two headers", [`00-${trace}-${parent}-01`, `00-${trace}-${parent}-01`]],
    ["two headers in one", `00-${trace}-${parent}-01, 00-${trace}-${parent}-01`],
    ["the version that is never to be", `ff-${trace}-${parent}-01`],
    ["a version that is no number", `0g-${trace}-${parent}-01`],
    ["a short version", `0-${trace}-${parent}-01`],
    ["more than version 00 has", `00-${trace}-${parent}-01-more`],
    ["a dash too many", `00-${trace}-${parent}-01-`],
    ["a later version that goes on without a dash", `cc-${trace}-${parent}-01.more`],
    ["a later version that ends too soon", `cc-${trace}-${parent}-0`],
    ["upper case in the trace id", `00-${trace.toUpperCase()}-${parent}-01`],
    ["upper case in the parent id", `00-${trace}-${parent.toUpperCase()}-01`],
    ["upper case in the flags", `00-${trace}-${parent}-0A`],
    ["upper case in the version", `CC-${trace}-${parent}-01`],
    ["a trace id of zeros", `00-${"0".repeat(32)}-${parent}-01`],
    ["a parent id of zeros", `00-${trace}-${"0".repeat(16)}-01`],
    ["a short trace id", `00-${trace.slice(1)}-${parent}-01`],
    ["a long trace id", `00-${trace}0-${parent}-01`],
    ["a short parent id", `00-${trace}-${parent.slice(1)}-01`],
    ["a long parent id", `00-${trace}-${parent}0-01`],
    ["short flags", `00-${trace}-${parent}-1`],
    ["long flags", `00-${trace}-${parent}-011`],
    ["no flags", `00-${trace}-${parent}`],
    ["millions of spaces inside, which take linear time", `00${" ".repeat(5_000_000)}-${trace}-${parent}-01`],
    ["other separators", `00_${trace}_${parent}_01`],
    ["a space inside", `00-${trace} -${parent}-01`],
    ["a space that is none of HTTP's", `\u00a000-${trace}-${parent}-01`],
  ] as const) {
    it(`is not continued with ${what}`, () => {
      const given = typeof header === "object" ? [...header] : header;
      assert.equal(remote(given), undefined);
      const fresh = traceIdOf(given);
      assert.match(fresh, /^[0-9a-f]{32}$/);
      assert.notEqual(fresh, trace);
    });
  }

  it("round-trips all ids and flags", () => {
    fc.assert(
      fc.property(id(32), id(16), fc.integer({ min: 0, max: 255 }), (traceId, parentId, flags) => {
        const bits = flags.toString(16).padStart(2, "0");
        const read = remote(`00-${traceId}-${parentId}-${bits}`);
        assert.deepEqual(read, { traceId, parentId, flags, sampled: (flags & 1) === 1, tracestate: undefined });
      }),
    );
  });

  it("gives valid ids or none for any input", () => {
    const piece = fc.oneof(hex(2), hex(16), hex(32), fc.constantFrom("-", "--", "00", "ff", "01"), fc.string());
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join("-")),
        ),
        (header) => {
          const read = remote(header);
          assert.match(read?.traceId ?? trace, /^(?!0+$)[0-9a-f]{32}$/);
          assert.match(read?.parentId ?? parent, /^(?!0+$)[0-9a-f]{16}$/);
          assert.equal(traceIdOf(header) === read?.traceId, read !== undefined);
        },
      ),
    );
  });
});

describe("tracestate", () => {
  const read = (tracestate: string | string[] | undefined) =>
    remoteParentOf({ traceparent: `00-${trace}-${parent}-01`, tracestate })?.tracestate;
  const many = (count: number) => Array.from({ length: count }, (_, index) => `k${index}=v`);

  it("keeps its order over several headers, without spaces and empty members", () => {
    for (const [header, kept] of [
      ["congo=t61rcWkgMzE,rojo=00f067aa0ba902b7", "congo=t61rcWkgMzE,rojo=00f067aa0ba902b7"],
      [["b=1", "a=2,c=3"], "b=1,a=2,c=3"],
      [" b=1 ,\t, a=2,", "b=1,a=2"],
      ["fw529a3039@dt=FfAB;1:2", "fw529a3039@dt=FfAB;1:2"],
      ["0tenant@sys=x", "0tenant@sys=x"],
      ["a_-*/0=with a space!", "a_-*/0=with a space!"],
      [many(32).join(","), many(32).join(",")],
    ] as const) {
      assert.equal(read(typeof header === "string" ? header : [...header]), kept);
    }
  });

  it("is dropped as a whole when a member is invalid or there are too many", () => {
    for (const header of [
      undefined,
      "",
      " , ",
      "noequals",
      "=value",
      "key=",
      "Upper=1",
      "0digit=1",
      "a=1,b",
      "a=1=2",
      "a=1,a=2",
      "a=tab\there",
      "a=ümlaut",
      "a@=1",
      "@b=1",
      "a@b@c=1",
      `${"a".repeat(257)}=1`,
      `a@${"b".repeat(15)}=1`,
      `a=${"x".repeat(257)}`,
      many(33).join(","),
      `a=1${" ".repeat(5_000_000)}2`,
    ]) {
      assert.equal(read(header), undefined, header?.slice(0, 100));
    }
  });

  it("drops whole members when it is over 512 characters: long ones first, then the last", () => {
    const long = `long=${"x".repeat(200)}`;
    const short = Array.from({ length: 20 }, (_, index) => `key${index}=${"y".repeat(15)}`);
    assert.equal(read([long, ...short].join(",")), short.join(","));
    const rest = Array.from({ length: 30 }, (_, index) => `key${index}=${"y".repeat(20)}`);
    const kept = read(rest.join(",")) ?? "";
    assert.ok(kept.length <= 512 && kept.length > 480);
    assert.ok(rest.join(",").startsWith(`${kept},`));
  });

  it("is ignored without a traceparent", () => {
    assert.equal(remoteParentOf({ tracestate: "a=1" }), undefined);
    assert.equal(remoteParentOf({ traceparent: "bad", tracestate: "a=1" }), undefined);
  });

  it("never grows, and is stable when read again", () => {
    const member = fc.tuple(fc.stringMatching(/^[a-z][a-z0-9]{0,200}$/), fc.stringMatching(/^[!-+\--<>-~]{1,200}$/));
    fc.assert(
      fc.property(fc.array(member, { maxLength: 40 }), (members) => {
        const header = members.map(([key, value]) => `${key}=${value}`).join(",");
        const once = read(header);
        assert.ok((once ?? "").length <= 512);
        assert.equal(read(once), once);
      }),
    );
  });
});

it("new ids are unique", () => {
  assert.equal(new Set(Array.from({ length: 1000 }, newTraceId)).size, 1000);
  assert.match(newSpanId(), /^(?!0+$)[0-9a-f]{16}$/);
});
