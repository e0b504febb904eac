// Connects the stream of events to the cache: the only place that patches server data.
import { type InfiniteData, type QueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";

import type { Query, Schema } from "./client";
import { stream, type StreamEvent } from "./events";
import { useIsOperator } from "./me";

type Job = Schema["Job"];
export interface JobsPage {
  jobs: Job[];
  next?: string;
}

/** Jobs that match a list and are not in it; the list shows their number and waits for a click. */
export const newJobsKey = ["jobs", "new"] as const;
const listsKey = ["jobs", "list"] as const;

/** What a page read before the stream began may be older than its first event. */
const FRESH_MS = 2_000;
/** What many events are about is read again once in this time. */
const CALM_MS = 1_000;

/**
 * The topic that tells of a list, by the first part of its key; the other lists are read again from time to time.
 * A list of jobs asks for its topic itself, with its filter.
 */
const topics: ReadonlyMap<unknown, string> = new Map([["jobs", ""], ["executions", "jobs"], ["lanes", "lanes"], ["pauses", "lanes"], ["nodes", "nodes"], ["approvals", "approvals"]]);
export const topicOf = (key: readonly unknown[]): string | undefined => topics.get(key[0]);

/** "job:7" is ["job", 7]; lists are called like their topic. */
function keysOf(topic: string): readonly (readonly unknown[])[] {
  const [name = "", id] = topic.split(":");
  if (id !== undefined) return [[name, /^[0-9]+$/.test(id) ? Number(id) : id]];
  if (name === "counts") return [["overview"]];
  if (name === "jobs") return [["jobs"], ["executions"]];
  if (name === "lanes") return [["lanes"], ["pauses"], ["bots"]];
  return [[name]];
}

const calm = new WeakMap<QueryClient, Map<string, boolean>>(); // whether it is due again after the pause

/** At once, then once a second at most. A read that is under way ends first: it may be older than the event. */
function readAgain(cache: QueryClient, queryKey: readonly unknown[]): void {
  const pauses = calm.get(cache) ?? new Map<string, boolean>();
  calm.set(cache, pauses);
  const word = JSON.stringify(queryKey);
  if (pauses.has(word)) return void pauses.set(word, true);
  const isBusy = cache.isFetching({ queryKey }) > 0;
  if (!isBusy) void cache.invalidateQueries({ queryKey }, { cancelRefetch: false });
  pauses.set(word, isBusy);
  setTimeout(() => {
    const due = pauses.get(word);
    pauses.delete(word);
    if (due) readAgain(cache, queryKey);
  }, CALM_MS);
}

export function patch(cache: QueryClient, { type, data, fresh = [] }: StreamEvent): void {
  const topics = Array.isArray(data.topics) ? data.topics.map(String) : [];
  const topic = typeof data.topic === "string" ? data.topic : "";
  switch (type) {
    case "job":
      return patchJob(cache, data as unknown as Job);
    case "job_left":
      return patchJob(cache, data as unknown as Job, true);
    case "watching": // the server goes on with the others where they were
      for (const queryKey of fresh.flatMap(keysOf))
        void cache.invalidateQueries({ queryKey, predicate: ({ state }) => state.dataUpdatedAt < Date.now() - FRESH_MS });
      return;
    case "reset":
      return topics.flatMap(keysOf).forEach((queryKey) => void cache.invalidateQueries({ queryKey }));
    case "counts":
      return void cache.setQueryData(["overview"], data);
    case "attention":
      return readAgain(cache, ["attention"]);
    case "chat": // the whole of the demo's chat
      return void cache.setQueryData(["demo"], data);
    case "model_chunk": // comes for every piece of text, and is in no answer
    case "health": // of the stream's state
      return;
    default: // "changed", and the events of an execution; a chat listens to its conversation itself
      if (topic && topic !== "demo" && !topic.startsWith("conversation:")) keysOf(topic).forEach((queryKey) => readAgain(cache, queryKey));
  }
}

/** Changes rows in their places. A new row only raises a number. `left`: it no longer matches the list's filter. */
function patchJob(cache: QueryClient, job: Job, left = false): void {
  cache.setQueriesData<InfiniteData<JobsPage>>({ queryKey: listsKey }, (list) => {
    if (!list || !has(list, job.job_id)) return list;
    const pages = list.pages.map((page) => ({
      ...page,
      jobs: page.jobs.map((row) => (row.job_id === job.job_id ? { ...row, ...job } : row)),
    }));
    return { ...list, pages };
  });
  if (left) cache.setQueryData<number[]>(newJobsKey, (ids) => ids?.filter((id) => id !== job.job_id));
  else if (isNew(cache, job.job_id)) cache.setQueryData<number[]>(newJobsKey, (ids = []) => (ids.includes(job.job_id) ? ids : [...ids, job.job_id]));
  readAgain(cache, ["job", job.job_id]);
  readAgain(cache, ["executions"]);
  if (job.lane !== undefined) for (const name of ["messages", "lane-jobs"]) readAgain(cache, [name, job.lane]);
}

const has = (list: InfiniteData<JobsPage>, id: number) => list.pages.some(({ jobs }) => jobs.some(({ job_id }) => job_id === id));

/** The list that is shown has room for it among its rows, which are the newest first, and does not have it. */
function isNew(cache: QueryClient, id: number): boolean {
  const list = cache.getQueryCache().find({ queryKey: listsKey, exact: false, type: "active" })?.state.data as InfiniteData<JobsPage> | undefined;
  if (!list || has(list, id)) return false;
  const last = list.pages.at(-1);
  return !last?.next || id >= (last.jobs.at(-1)?.job_id ?? 0);
}

/** Patches the cache by the stream. A list of jobs that was read has no new ones. */
export function follow(cache: QueryClient, events: { listen: typeof stream.listen }): () => void {
  const deaf = events.listen((event) => patch(cache, event));
  const blind = cache.getQueryCache().subscribe((change) => {
    if (change.type !== "updated" || change.action.type !== "success" || change.action.manual) return;
    const { queryKey, state } = change.query;
    if (queryKey[0] !== listsKey[0] || queryKey[1] !== listsKey[1] || state.fetchMeta?.fetchMore) return;
    cache.setQueryData(newJobsKey, []);
  });
  return () => {
    deaf();
    blind();
  };
}

/** The id in an address; undefined where it is none. */
export function idOf(text: string | undefined): number | undefined {
  const id = /^[0-9]{1,16}$/.test(text ?? "") ? Number(text) : 0;
  return id > 0 && Number.isSafeInteger(id) ? id : undefined;
}

/** While mounted, the tab's stream has this topic. */
export function useTopic(topic: string | undefined, filter?: Query): void {
  const words = JSON.stringify(filter ?? {});
  const allowed = useIsOperator();
  useEffect(() => (allowed && topic ? stream.need(topic, JSON.parse(words) as Query) : undefined), [allowed, topic, words]);
}

export function useStreamState() {
  return useSyncExternalStore(stream.watch, () => stream.state);
}

/** How often a list is read again where the stream cannot say that it changed. `told`: the stream has it. */
export const paceOf = (streams: boolean, told: boolean, milliseconds: number): number | false => (streams && told ? false : milliseconds);

export function usePace(milliseconds = 10_000, told = true): number | false {
  return paceOf(useStreamState().live, told, milliseconds);
}

/** The pace of a list by its key; while it is mounted, the stream has its topic. */
export function useListPace(key: readonly unknown[]): number | false {
  const topic = topicOf(key);
  useTopic(topic);
  return usePace(10_000, topic !== undefined);
}
