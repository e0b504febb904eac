// A job's steps, tries and waits as bars on one axis of time, in milliseconds after its creation. Pure.
import type { JobDetails } from "./queries";
import { wholeOf } from "./whole";

export interface Bar {
  id: string;
  label: string;
  kind: "step" | "wait" | "queue";
  outcome: string; // of a step: done, retry, failed; of a wait: its cause
  begins: number;
  took: number;
  note: string;
  step?: JobDetails["steps"][number];
  whole?: string | undefined; // where the step's result is, if its beginning alone is here
  last?: boolean; // the newest try of its step
}

export interface Waterfall {
  bars: Bar[];
  total: number;
}

export function waterfallOf(job: JobDetails): Waterfall {
  const newest = new Map<string, number>();
  for (const step of job.steps) newest.set(step.key, Math.max(newest.get(step.key) ?? 0, step.attempt));
  const steps = job.steps.map((step, index): Bar => ({
    id: `step ${step.seq} ${step.attempt} ${step.begins_ms}`,
    label: step.attempt > 1 ? `${step.key} · try ${step.attempt}` : step.key,
    kind: "step",
    outcome: step.outcome,
    begins: step.begins_ms,
    took: step.took_ms,
    note: step.error ?? "",
    step,
    whole: wholeOf(job, `/steps/${index}/result`),
    last: newest.get(step.key) === step.attempt,
  }));
  const waits = job.waited.map((wait, index): Bar => ({
    id: `wait ${index}`,
    label: wait.reason,
    kind: "wait",
    outcome: wait.cause,
    begins: wait.begins_ms,
    took: wait.took_ms,
    note: wait.ended_by ? `ended by ${wait.ended_by}` : wait.until ? "" : "waits still",
  }));
  const bars = [...steps, ...waits].sort((a, b) => a.begins - b.begins || b.took - a.took);
  const ends = bars.map(({ begins, took }) => begins + took);
  return { bars, total: Math.max(1, job.age_ms, ...ends) };
}

/** Marks of the axis: at most `most` round numbers below the total. */
export function marksOf(total: number, most = 5): number[] {
  const rough = total / most;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * magnitude).find((size) => size >= rough) ?? rough;
  const marks: number[] = [];
  for (let at = 0; at < total; at += step) marks.push(at);
  return marks;
}
