// By what usage is grouped: one dimension, or two. Pure.
import type { Schema } from "../api/client";
import type { Point } from "../ui/chart";

export type Usage = Schema["Usage"];
export const dimensions = ["day", "user", "chat", "agent", "flow", "model"] as const;
export type Dimension = (typeof dimensions)[number];
export type Grouping = readonly [Dimension] | readonly [Dimension, Dimension];

const dimensionOf = (word: string | undefined) => dimensions.find((name) => name === word);

/** From the address; a dimension under itself is none. */
export function groupingOf(by: string | undefined, then: string | undefined): Grouping {
  const first = dimensionOf(by) ?? "day";
  const second = dimensionOf(then);
  return second && second !== first ? [first, second] : [first];
}

export const nameOf = (row: Usage, by: Dimension): string => String(row[by] ?? "none");

export const keyOf = (row: Usage, grouping: Grouping): string => grouping.map((by) => nameOf(row, by)).join(" · ");

export const measures = ["cost", "calls", "tokens"] as const;
export type Measure = (typeof measures)[number];

/** From the address; otherwise the costs, or where nothing has a price the calls. */
export function measureOf(word: string | undefined, rows: readonly Usage[]): Measure {
  return measures.find((name) => name === word) ?? (rows.some(({ cost }) => cost > 0) ? "cost" : "calls");
}

const valueOf = (row: Usage, measure: Measure): number => (measure === "tokens" ? row.tokens_in + row.tokens_out : row[measure]);

const MOST_OTHERS = 30;

export const USUAL_DAYS = 30; // that the server answers where the address says nothing

const DAY_MS = 86_400_000;

/** The days until today in the zone, oldest first. */
export function daysUntil(now: Date, count: number, zone: string): string[] {
  const today = Date.parse(now.toLocaleDateString("en-CA", { timeZone: zone }));
  return Array.from({ length: count }, (_none, index) => new Date(today - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10));
}

/** A bar for each value of the dimension: each of the `days`, of others those with the most. */
export function pointsOf(rows: readonly Usage[], by: Dimension, measure: Measure, days: readonly string[]): Point[] {
  const totals = new Map<string, number>(by === "day" ? days.map((day) => [day, 0]) : []);
  for (const row of rows) totals.set(nameOf(row, by), (totals.get(nameOf(row, by)) ?? 0) + valueOf(row, measure));
  const points = [...totals].map(([name, value]) => ({ name, value }));
  if (by === "day") return points.sort((a, b) => a.name.localeCompare(b.name));
  return points.sort((a, b) => b.value - a.value).slice(0, MOST_OTHERS);
}
