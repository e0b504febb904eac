import { useQuery } from "@tanstack/react-query";

import { addressOf, get, type Schema, send } from "../api/client";
import { parseJson } from "../api/json";
import { usePace } from "../api/live";
import { useKeyset } from "../ui/keyset-list";

/** `tag`: of its draft, as the server knows it. */
export type Flow = Schema["Flow"] & { tag: string };
export type FlowVersion = Schema["FlowVersion"];
export type FlowDiff = Schema["FlowDiff"];

/** A published version's number, or the draft. */
export type Shown = number | "draft";

/** Proxies that compress make a tag weak. */
const tagOf = ({ headers }: Response) => headers.get("ETag")?.replace(/^W\//, "") ?? "*";

export async function readFlow(name: string, signal?: AbortSignal): Promise<Flow> {
  const answer = await send("GET", addressOf("/api/v1/flows/{name}", { params: { name } }), undefined, signal && { signal });
  return { ...(parseJson(await answer.text()) as Schema["Flow"]), tag: tagOf(answer) };
}

/** With its draft. */
export function useFlow(name: string) {
  const pace = usePace(10_000, false);
  return useQuery({ queryKey: ["flow", name], queryFn: ({ signal }) => readFlow(name, signal), refetchInterval: pace });
}

export const useVersions = (name: string) => useKeyset("/api/v1/flows/{name}/versions", "versions", ["flow", name, "versions"], { params: { name } });

export const useVersion = (name: string, shown: Shown) =>
  useQuery({
    queryKey: ["flow-version", name, shown],
    queryFn: ({ signal }) => get("/api/v1/flows/{name}/versions/{version}", { params: { name, version: shown }, signal }),
    enabled: shown !== "draft",
  });

/** `seen`: what the draft looked like; another draft has other changes. */
export const useDiff = (name: string, from: string, to: string, seen: number) =>
  useQuery({
    queryKey: ["flow-diff", name, from, to, seen],
    queryFn: ({ signal }) => get("/api/v1/flows/{name}/diff", { params: { name }, query: { from, to }, signal }),
  });

export const useLastRuns = (flow: string) => useKeyset("/api/v1/executions", "executions", ["executions"], { query: { flow, limit: 10 } });

/** What the address asks for; otherwise what runs now, or the draft where nothing was published. */
export function shownOf(word: string | undefined, published: number | null): Shown {
  if (word === "draft") return "draft";
  const number = /^[1-9][0-9]{0,8}$/.test(word ?? "") ? Number(word) : published;
  return number ?? "draft";
}
