import { useQuery } from "@tanstack/react-query";

import { get, post, type Schema } from "../api/client";
import { onceBy } from "../api/intention";
import { usePace, useTopic } from "../api/live";
import { type Stop, stopOf } from "../executions/stop";
import { SHOWN_BYTES } from "../ui/json-view";
import { useKeyset } from "../ui/keyset-list";
import type { Filters } from "../ui/filters";
import { hasKnownStates } from "./filters";

export type Job = Schema["Job"];
export type JobDetails = Schema["JobDetails"];
export type Step = Schema["Step"];
export type PastWait = Schema["PastWait"];
export type BulkOutcome = Schema["BulkOutcome"];

export function useJobs(filters: Filters) {
  useTopic(hasKnownStates(filters) ? "jobs" : undefined, filters);
  return useKeyset("/api/v1/jobs", "jobs", ["jobs", "list"], { query: filters });
}

/** Without an id, of an address that has none, nothing is read. */
export function useJob(id: number | undefined) {
  useTopic(id === undefined ? undefined : `job:${id}`);
  const pace = usePace(5_000);
  return useQuery({
    queryKey: ["job", id],
    queryFn: ({ signal }) => get("/api/v1/jobs/{id}", { params: { id: id ?? 0 }, query: { most_bytes: SHOWN_BYTES }, signal }),
    enabled: id !== undefined,
    refetchInterval: (query) => (isOver(query.state.data?.state) ? false : pace),
  });
}

/** What its flow's stop node said, of a job that such a node may have ended. */
export function useStop({ job_id: id, state, error_class }: JobDetails): Stop | undefined {
  const run = useQuery({
    queryKey: ["execution", id],
    queryFn: ({ signal }) => get("/api/v1/executions/{id}", { params: { id }, signal }),
    enabled: state === "failed" && error_class === "refused",
  });
  return stopOf(run.data?.nodes);
}

export const isOver = (state: string | undefined): boolean => state === "completed" || state === "failed" || state === "cancelled";

export type Verb = "retry" | "cancel" | "pause" | "resume";
export type Operation = Verb | "restart" | "fork" | "events";

export const operate = (id: number, operation: Operation, body: object = {}, key?: string) =>
  post(`/api/v1/jobs/{id}/${operation}` as "/api/v1/jobs/{id}/retry", body, { params: { id }, ...(key === undefined ? {} : onceBy(key)) });

const bulk = (verb: Verb, body: object) => post(`/api/v1/jobs/${verb}` as "/api/v1/jobs/retry", body) as Promise<BulkOutcome>;

/** What the operation would do with the jobs that the filter matches now. `state` is an array there. */
export function preview(verb: Verb, filters: Filters, limit: number): Promise<BulkOutcome> {
  const { state, ...others } = filters;
  return bulk(verb, { ...others, ...(state ? { state: state.split(",") } : {}), dry_run: true, limit });
}

/** The server takes so many ids at once. */
const MOST_IDS = 100;

/** Acts on these jobs alone, whatever matches the filter by now. It ends where the database lets it do only a part. */
export async function operateOnAll(verb: Verb, ids: readonly number[]): Promise<BulkOutcome> {
  let all: BulkOutcome | undefined;
  for (let at = 0; at < ids.length && !all?.stopped; at += MOST_IDS) {
    const next = await bulk(verb, { job_ids: ids.slice(at, at + MOST_IDS) });
    all = all ? joined(all, next) : next;
  }
  return all ?? { dry_run: false, matched: 0, done: 0, asked: 0, refused: [], job_ids: [], stopped: null };
}

const joined = (all: BulkOutcome, next: BulkOutcome): BulkOutcome => ({
  dry_run: false,
  matched: all.matched + next.matched,
  done: all.done + next.done,
  asked: all.asked + next.asked,
  refused: [...all.refused, ...next.refused],
  job_ids: [...all.job_ids, ...next.job_ids],
  stopped: next.stopped,
});
