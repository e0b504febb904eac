// What needs a person: GET /attention, with GET /overview for the numbers above it.
import { queryOptions, useQuery } from "@tanstack/react-query";

import { get, type Schema, send } from "../api/client";
import { parseJson } from "../api/json";
import { usePace, useTopic } from "../api/live";
import { useIsOperator } from "../api/me";
import { sentence } from "../api/words";

export type AttentionAction = Schema["AttentionAction"];
export type AttentionItem = Schema["AttentionItem"];
export type Attention = Schema["Attention"];
export type Overview = Schema["Overview"];

export const attentionKey = ["attention"] as const;

export const attentionQuery = queryOptions({ queryKey: attentionKey, queryFn: ({ signal }) => get("/api/v1/attention", { query: { limit: 50 }, signal }) });
export const overviewQuery = queryOptions({ queryKey: ["overview"], queryFn: ({ signal }) => get("/api/v1/overview", { signal }) });

export function useAttention() {
  useTopic("attention");
  return useQuery({ ...attentionQuery, enabled: useIsOperator(), refetchInterval: 30_000 }); // the stream tells of the most frequent kinds only
}

export function useAttentionTotal(): number | undefined {
  return useAttention().data?.total;
}

export function useOverview() {
  useTopic("counts");
  return useQuery({ ...overviewQuery, enabled: useIsOperator(), refetchInterval: usePace(10_000) });
}

/** Does it as the server describes it. Returns what the server says of the outcome, if anything. */
export async function perform({ path, body }: AttentionAction): Promise<string | undefined> {
  const text = await (await send("POST", path, body)).text();
  const answer = (text ? parseJson(text) : {}) as { operation?: { detail?: string } };
  return sentence(answer.operation?.detail);
}
