import { describe, expect, it } from "vitest";

import { Problem, unreachable } from "../../src/api/problem";
import { connectionOf } from "../../src/shell/connection";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 30, 12, minute));
const read = { dataUpdatedAt: at(2).getTime(), error: null, failureReason: null };
const failed = (error: unknown) => ({ ...read, error });

describe("the connection badge", () => {
  it("says that it is live while the stream and the reads of pages work", () => {
    expect(connectionOf({ live: true, since: at(0) }, read)).toEqual({ kind: "live" });
    expect(connectionOf({ live: false, absent: true, since: at(0) }, read)).toEqual({ kind: "polling" });
  });

  it("says since when the connection is lost, or the server cannot read", () => {
    expect(connectionOf({ live: false, since: at(5) }, read)).toEqual({ kind: "stale", since: at(5), reason: "connection" });
    expect(connectionOf({ live: false, blind: true, since: at(6) }, read)).toEqual({ kind: "stale", since: at(6), reason: "database" });
  });

  it("takes an open connection for stale when no complete answer comes, also before the last try", () => {
    const stale = { kind: "stale", since: at(2), reason: "answer" };
    const stream = { live: true, since: at(0) };
    expect(connectionOf(stream, failed(new Problem(503, "database_away", "")))).toEqual(stale);
    expect(connectionOf(stream, { ...read, failureReason: unreachable() })).toEqual(stale);
    expect(connectionOf({ ...stream, live: false, absent: true }, failed(unreachable()))).toEqual(stale);
  });

  it("takes a refusal for no outage", () => {
    expect(connectionOf({ live: true, since: at(0) }, failed(new Problem(403, "forbidden", "")))).toEqual({ kind: "live" });
  });
});
