// The filters of the list of jobs, with the names that GET /jobs has.

export const jobFilters = ["state", "kind", "flow", "lane", "lane_text", "error_class", "degraded_reason", "after", "before"] as const;

/** One press for what is asked most. */
export const views: readonly { title: string; state: string | undefined }[] = [
  { title: "All", state: undefined },
  { title: "Live", state: "available,scheduled,running,waiting,retryable,paused" },
  { title: "Running", state: "running" },
  { title: "Waiting", state: "available,scheduled,waiting,retryable" },
  { title: "Failed", state: "failed" },
  { title: "Degraded", state: "degraded" },
  { title: "Completed", state: "completed" },
  { title: "Cancelled", state: "cancelled" },
];

const states: ReadonlySet<string> = new Set(["available", "scheduled", "running", "waiting", "retryable", "paused", "completed", "failed", "cancelled", "degraded"]);

/** An address may say anything; the server refuses a state that there is not. */
export const hasKnownStates = ({ state }: { readonly state?: string }): boolean => (state ?? "").split(",").every((word) => !word || states.has(word.trim()));
