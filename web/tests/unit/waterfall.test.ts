import { describe, expect, it } from "vitest";

import type { JobDetails } from "../../src/jobs/queries";
import { marksOf, waterfallOf } from "../../src/jobs/waterfall";
import { wholeOf } from "../../src/jobs/whole";

const step = (key: string, attempt: number, begins_ms: number, took_ms: number, outcome: string) => ({ seq: attempt, key, attempt, begins_ms, took_ms, outcome, error: null });
const job = (steps: unknown[], waited: unknown[], age_ms: number) => ({ steps, waited, age_ms }) as unknown as JobDetails;

describe("the waterfall of a job", () => {
  it("has tries and waits in the order of their beginning", () => {
    const { bars, total } = waterfallOf(
      job(
        [step("reply", 1, 900, 50, "done"), step("model", 1, 10, 100, "retry"), step("model", 2, 600, 200, "done")],
        [{ cause: "retry", reason: "its next try", begins_ms: 110, took_ms: 490, until: "x", ended_by: null }],
        950,
      ),
    );
    expect(bars.map(({ label }) => label)).toEqual(["model", "its next try", "model · try 2", "reply"]);
    expect(total).toBe(950);
  });

  it("leads to results that are too long to be shown", () => {
    const long = { ...job([step("a", 1, 0, 1, "done"), step("b/c", 1, 5, 1, "done")], [], 10), job_id: 7, cut: ["/steps/1/result", "/effects/0/request", "/output"], effects: [{ key: "reply" }] } as unknown as JobDetails;
    expect(waterfallOf(long).bars.map(({ whole }) => whole)).toEqual([undefined, "/api/v1/jobs/7/value?of=step&key=b%2Fc"]);
    expect(wholeOf(long, "/effects/0/request")).toBe("/api/v1/jobs/7/value?of=request&key=reply");
    expect(wholeOf(long, "/output")).toBe("/api/v1/jobs/7/value?of=output");
    expect(wholeOf(long, "/input")).toBeUndefined();
  });

  it("offers a restart at the newest try only", () => {
    const { bars } = waterfallOf(job([step("model", 1, 0, 1, "retry"), step("model", 2, 5, 1, "done")], [], 10));
    expect(bars.map(({ last }) => last)).toEqual([false, true]);
  });

  it("has room for what ended after the job's age", () => {
    expect(waterfallOf(job([step("a", 1, 100, 50, "done")], [], 120)).total).toBe(150);
  });
});

describe("the marks of its axis", () => {
  it("are a few round numbers", () => {
    expect(marksOf(47)).toEqual([0, 10, 20, 30, 40]);
    expect(marksOf(1)).toEqual([0, 0.2, 0.4, 0.6000000000000001, 0.8]);
    expect(marksOf(3_600_000).length).toBeLessThanOrEqual(5);
  });
});
