import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { StreamEvent } from "../../src/api/events";
import { follow, idOf, newJobsKey, paceOf, patch, topicOf } from "../../src/api/live";

const listOf = (...ids: number[]) => ({ pages: [{ jobs: ids.map((job_id) => ({ job_id, state: "running", said: `words ${job_id}` })) }], pageParams: [undefined] });
const key = ["jobs", "list", {}];

/** The list is on a page; `read` answers when it is read again. */
function show(cache: QueryClient, queryKey: readonly unknown[], read = () => new Promise<never>(() => undefined) as Promise<unknown>) {
  const observer = new InfiniteQueryObserver(cache, { queryKey, queryFn: read, initialPageParam: undefined, getNextPageParam: () => undefined, staleTime: Infinity });
  return observer.subscribe(() => undefined);
}
const newIn = (cache: QueryClient) => cache.getQueryData(newJobsKey);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("events patch the cache", () => {
  it("changes the row of a job that is listed, in its place", () => {
    const cache = new QueryClient();
    cache.setQueryData(key, listOf(3, 2, 1));
    patch(cache, { type: "job", data: { job_id: 2, state: "completed" } });
    const list = cache.getQueryData<ReturnType<typeof listOf>>(key);
    expect(list?.pages[0]?.jobs[1]).toEqual({ job_id: 2, state: "completed", said: "words 2" });
    expect(cache.getQueryData(newJobsKey)).toBeUndefined();
  });

  it("counts jobs that are not listed, each once, and adds no row", () => {
    const cache = new QueryClient();
    cache.setQueryData(key, listOf(1));
    show(cache, key);
    for (const job_id of [4, 4, 5]) patch(cache, { type: "job", data: { job_id, state: "running" } });
    expect(cache.getQueryData(newJobsKey)).toEqual([4, 5]);
    expect(cache.getQueryData<ReturnType<typeof listOf>>(key)?.pages[0]?.jobs).toHaveLength(1);
  });

  it("takes over the overview's figures", () => {
    const cache = new QueryClient();
    patch(cache, { type: "counts", data: { paused: 2 } });
    expect(cache.getQueryData(["overview"])).toEqual({ paused: 2 });
  });

  it("has a list read again that changed", () => {
    const cache = new QueryClient();
    cache.setQueryData(["lanes", {}], []);
    patch(cache, { type: "changed", data: { topic: "lanes" } });
    expect(cache.getQueryState(["lanes", {}])?.isInvalidated).toBe(true);
  });

  it("has what the server lost its place in read again", () => {
    const cache = new QueryClient();
    cache.setQueryData(["lanes", {}], []);
    cache.setQueryData(["job", 7], {});
    cache.setQueryData(["nodes", {}], []);
    patch(cache, { type: "reset", data: { topics: ["lanes", "job:7"] } });
    expect(["lanes", "nodes"].map((name) => cache.getQueryState([name, {}])?.isInvalidated)).toEqual([true, false]);
    expect(cache.getQueryState(["job", 7])?.isInvalidated).toBe(true);
  });

  it("shows that a job left the filter, and counts it as no new one", () => {
    const cache = new QueryClient();
    cache.setQueryData(key, listOf(1));
    show(cache, key);
    patch(cache, { type: "job", data: { job_id: 8, state: "running" } });
    patch(cache, { type: "job_left", data: { job_id: 8, state: "completed" } });
    patch(cache, { type: "job_left", data: { job_id: 1, state: "completed" } });
    patch(cache, { type: "job_left", data: { job_id: 9, state: "failed" } });
    expect(cache.getQueryData<ReturnType<typeof listOf>>(key)?.pages[0]?.jobs[0]?.state).toBe("completed");
    expect(newIn(cache)).toEqual([]);
  });

  it("reads again at the beginning of a stream only what does not continue, and is older", () => {
    const cache = new QueryClient();
    const before = { updatedAt: Date.now() - 60_000 };
    cache.setQueryData(["lanes"], [], before);
    cache.setQueryData(["pauses"], [], before);
    cache.setQueryData(["approvals"], [], before);
    cache.setQueryData(["nodes"], []);
    patch(cache, { type: "watching", data: { topics: ["approvals", "lanes", "nodes"] }, fresh: ["lanes", "nodes"] });
    const again = ["lanes", "pauses", "approvals", "nodes"].map((name) => cache.getQueryState([name])?.isInvalidated);
    expect(again).toEqual([true, true, false, false]);
  });

  it("has a conversation read again when a job of its lane changes", () => {
    const cache = new QueryClient();
    for (const lane of ["1:1:0", "1:2:0"]) for (const name of ["messages", "lane-jobs"]) cache.setQueryData([name, lane, {}], {});
    patch(cache, { type: "job", data: { job_id: 4, lane: "1:1:0", state: "completed" } });
    expect(["messages", "lane-jobs"].map((name) => cache.getQueryState([name, "1:1:0", {}])?.isInvalidated)).toEqual([true, true]);
    expect(cache.getQueryState(["messages", "1:2:0", {}])?.isInvalidated).toBe(false);
  });

  it("follows an execution by its events", () => {
    const cache = new QueryClient();
    cache.setQueryData(["execution", 12], {});
    patch(cache, { type: "node", data: { topic: "execution:12" } });
    expect(cache.getQueryState(["execution", 12])?.isInvalidated).toBe(true);
  });

  it("reads nothing again for the pieces of a model's text", () => {
    const cache = new QueryClient();
    cache.setQueryData(["execution", 12], {});
    patch(cache, { type: "model_chunk", data: { topic: "execution:12" } });
    expect(cache.getQueryState(["execution", 12])?.isInvalidated).toBe(false);
  });

  it("reads once a second at most, and again for what came meanwhile", async () => {
    const cache = new QueryClient();
    cache.setQueryData(["execution", 12], {});
    const invalidate = vi.spyOn(cache, "invalidateQueries");
    for (let events = 0; events < 5; events += 1) patch(cache, { type: "node", data: { topic: "execution:12" } });
    expect(invalidate).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(invalidate).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(invalidate).toHaveBeenCalledTimes(2);
  });

  it("lets a reading end before it reads again", async () => {
    const cache = new QueryClient();
    let end: (value: object) => void = () => undefined;
    const reads = vi.fn(() => new Promise<object>((resolve) => (end = resolve)));
    void cache.fetchQuery({ queryKey: ["execution", 12], queryFn: reads });
    patch(cache, { type: "node", data: { topic: "execution:12" } });
    await vi.advanceTimersByTimeAsync(1_500);
    end({});
    await vi.advanceTimersByTimeAsync(0);
    expect(cache.getQueryState(["execution", 12])?.isInvalidated).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(cache.getQueryState(["execution", 12])?.isInvalidated).toBe(true);
  });
});

describe("lists that are kept up to date", () => {
  it("are read again from time to time where no topic tells of them", () => {
    expect([["tokens"], ["flows", {}]].map(topicOf)).toEqual([undefined, undefined]);
    expect([["lanes", {}], ["executions", {}], ["pauses"]].map(topicOf)).toEqual(["lanes", "jobs", "lanes"]);
    expect([paceOf(true, false, 7), paceOf(true, true, 7), paceOf(false, true, 7)]).toEqual([7, false, 7]);
  });

  it("have executions read again when a job changes or leaves", () => {
    for (const type of ["job", "job_left"]) {
      const cache = new QueryClient();
      cache.setQueryData(["executions", {}], []);
      patch(cache, { type, data: { job_id: 4, state: "running" } });
      expect(cache.getQueryState(["executions", {}])?.isInvalidated).toBe(true);
    }
  });

  it("have pauses read again with the lanes", () => {
    const cache = new QueryClient();
    cache.setQueryData(["pauses"], []);
    patch(cache, { type: "changed", data: { topic: "lanes" } });
    expect(cache.getQueryState(["pauses"])?.isInvalidated).toBe(true);
  });
});

describe("new jobs", () => {
  it("are those of the list that is shown", () => {
    const cache = new QueryClient();
    cache.setQueryData(key, listOf(9, 8));
    cache.setQueryData(["jobs", "list", { state: "failed" }], listOf(3));
    show(cache, key);
    patch(cache, { type: "job", data: { job_id: 9, state: "failed" } });
    expect(newIn(cache)).toBeUndefined();
  });

  it("are not counted while the list is read first", () => {
    const cache = new QueryClient();
    show(cache, key);
    patch(cache, { type: "job", data: { job_id: 9, state: "failed" } });
    expect(newIn(cache)).toBeUndefined();
  });

  it("include older jobs that match now, as far as the list goes", () => {
    const cache = new QueryClient();
    const list = listOf(90, 50);
    cache.setQueryData(key, { ...list, pages: [{ ...list.pages[0], next: "more" }] });
    show(cache, key);
    for (const job_id of [70, 20]) patch(cache, { type: "job", data: { job_id, state: "failed" } });
    expect(newIn(cache)).toEqual([70]);
    cache.setQueryData(key, listOf(90, 50));
    patch(cache, { type: "job", data: { job_id: 20, state: "failed" } });
    expect(newIn(cache)).toEqual([70, 20]);
  });

  it("are over when the list was read again", async () => {
    const cache = new QueryClient();
    cache.setQueryData(key, listOf(1));
    let tell: (event: StreamEvent) => void = () => undefined;
    const end = follow(cache, { listen: (listener) => ((tell = listener), () => undefined) } as Parameters<typeof follow>[1]);
    show(cache, key, () => Promise.resolve({ jobs: [] }));
    tell({ type: "job", data: { job_id: 5, state: "running" } });
    expect(newIn(cache)).toEqual([5]);
    await cache.refetchQueries({ queryKey: key });
    expect(newIn(cache)).toEqual([]);
    end();
  });
});

describe("an id in an address", () => {
  it("is a number that a job can have", () => {
    expect(["7", "abc", "-1", "0", "1.5", "9999999999999999", undefined].map(idOf)).toEqual([7, undefined, undefined, undefined, undefined, undefined, undefined]);
  });
});
