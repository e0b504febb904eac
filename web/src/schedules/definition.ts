// A schedule as its form has it, and as the API takes it. Pure.
import { printJson, typedJson } from "../api/json";
import type { Schema } from "../api/client";
import { wordsOf } from "../api/problem";

export type Schedule = Schema["Schedule"];
export type NewSchedule = Schema["NewSchedule"];

export interface Draft {
  name: string;
  by: "cron" | "at";
  cron: string;
  at: string;
  timezone: string;
  kind: string;
  input: string;
  lane: string;
  missed: string;
  overlap: string;
}

export const emptyDraft = (timezone: string): Draft => ({ name: "", by: "cron", cron: "0 9 * * mon-fri", at: "", timezone, kind: "flow", input: "", lane: "", missed: "once", overlap: "queue" });

export const draftOf = (schedule: Schedule): Draft => ({
  name: schedule.name,
  by: schedule.cron === null ? "at" : "cron",
  cron: schedule.cron ?? "",
  at: schedule.at ?? "",
  timezone: schedule.timezone,
  kind: schedule.kind,
  input: schedule.input === null ? "" : printJson(schedule.input, 2),
  lane: schedule.lane === `schedule:${schedule.name}` ? "" : schedule.lane,
  missed: schedule.missed,
  overlap: schedule.overlap,
});

/** What it starts, in words: a flow by its name. */
export function workOf({ kind, input }: Pick<Schedule, "kind" | "input">): string {
  const { flow } = (input ?? {}) as { flow?: unknown };
  return kind === "flow" && typeof flow === "string" ? `flow ${flow}` : kind;
}

/** What the jobs of a flow get. */
export const inputOfFlow = (flow: string, version: number): string => printJson({ flow, version }, 2);

/** A mistake that the form finds itself. */
export class Mistake extends Error {
  constructor(
    readonly member: keyof Draft,
    words: string,
  ) {
    super(words);
  }
}

/** The wall clock of a time such as 2026-12-01T09:00:00+01:00; whoever shows it names the zone. */
export const wallClock = (time: string): string => time.slice(0, 19).replace("T", " ").replace(/:00$/, "");

function inputOf({ input }: Draft): unknown {
  try {
    return typedJson(input, "The input");
  } catch (error) {
    throw new Mistake("input", wordsOf(error));
  }
}

/** Throws a Mistake. */
export function bodyOf(draft: Draft): NewSchedule {
  const input = inputOf(draft);
  return {
    kind: draft.kind.trim(),
    ...(draft.by === "cron" ? { cron: draft.cron.trim() } : { at: draft.at.trim() }),
    timezone: draft.timezone.trim(),
    ...(input === undefined ? {} : { input }),
    ...(draft.lane.trim() ? { lane: draft.lane.trim() } : {}),
    missed: draft.missed as "once",
    overlap: draft.overlap as "queue",
  };
}
