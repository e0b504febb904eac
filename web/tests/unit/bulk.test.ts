import { afterEach, describe, expect, it, vi } from "vitest";

import { Problem, unreachable } from "../../src/api/problem";
import { operateOnEach, selectedIn } from "../../src/jobs/bulk-act";
import { hasKnownStates } from "../../src/jobs/filters";
import { operateOnAll } from "../../src/jobs/queries";

afterEach(() => void vi.unstubAllGlobals());

describe("operations on many jobs", () => {
  it("act on the jobs that the question named, and on no filter", async () => {
    const bodies: unknown[] = [];
    vi.stubGlobal("fetch", (_address: string, init: RequestInit) => {
      bodies.push(JSON.parse(String(init.body)));
      return Promise.resolve(new Response("{}"));
    });
    await operateOnAll("cancel", [9, 7]);
    expect(bodies).toEqual([{ job_ids: [9, 7] }]);
  });

  it("send as many ids at once as the server takes, and add up what it says", async () => {
    const sizes: number[] = [];
    vi.stubGlobal("fetch", (_address: string, init: RequestInit) => {
      const { job_ids } = JSON.parse(String(init.body)) as { job_ids: number[] };
      sizes.push(job_ids.length);
      return Promise.resolve(new Response(JSON.stringify({ dry_run: false, matched: job_ids.length, done: job_ids.length, asked: 0, refused: [], job_ids, stopped: null })));
    });
    const outcome = await operateOnAll("cancel", Array.from({ length: 250 }, (_none, index) => index + 1));
    expect(sizes).toEqual([100, 100, 50]);
    expect(outcome.done).toBe(250);
    expect(outcome.job_ids).toHaveLength(250);
  });

  it("go on after a refusal", async () => {
    const operate = (id: number) => (id === 2 ? Promise.reject(new Problem(409, "over", "it is over")) : Promise.resolve());
    expect(await operateOnEach("retry", [1, 2, 3], operate)).toEqual({ left: [], text: "Retry: 2 jobs done; refused: 2: it is over." });
  });

  it("keep the rest where the session ends or the server goes away", async () => {
    for (const failure of [new Problem(401, "login_required", "Sign in."), unreachable()]) {
      const operate = vi.fn((id: number) => (id === 2 ? Promise.reject(failure) : Promise.resolve()));
      const { left, text } = await operateOnEach("retry", [1, 2, 3], operate);
      expect(left).toEqual([2, 3]);
      expect(text).toContain("1 job done");
      expect(operate).toHaveBeenCalledTimes(2);
    }
  });

  it("forget a selection when the filters change", () => {
    const selection = { of: "?state=failed", ids: new Set([1]) };
    expect([...selectedIn(selection, "?state=failed")]).toEqual([1]);
    expect(selectedIn(selection, "").size).toBe(0);
  });

  it("know the states that there are", () => {
    expect([{}, { state: "failed,degraded" }, { state: "foo" }, { state: "failed,foo" }].map(hasKnownStates)).toEqual([true, true, false, false]);
  });
});
