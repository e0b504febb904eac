// Whether what is shown follows the server. A connection may be open while the server can read nothing: it says so, or
// the read that every page has fails. Pure.
import type { StreamState } from "../api/events";
import { isOutage } from "../api/problem";

/** The latest reading of what all pages show. */
export interface Reading {
  dataUpdatedAt: number;
  error: unknown;
  /** Of a reading that is tried again. */
  failureReason: unknown;
}

export type Connection = { kind: "live" } | { kind: "polling" } | { kind: "stale"; since: Date; reason: "connection" | "database" | "answer" };

export function connectionOf({ live, since, absent, blind }: StreamState, { dataUpdatedAt, error, failureReason }: Reading): Connection {
  if (!live && !absent) return { kind: "stale", since, reason: blind ? "database" : "connection" };
  if (isOutage(error) || isOutage(failureReason)) return { kind: "stale", since: dataUpdatedAt ? new Date(dataUpdatedAt) : since, reason: "answer" };
  return live ? { kind: "live" } : { kind: "polling" };
}
