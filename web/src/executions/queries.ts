import { useQuery } from "@tanstack/react-query";

import { get, type Schema } from "../api/client";
import { usePace, useTopic } from "../api/live";

export type ExecutionDetails = Schema["ExecutionDetails"];
export type NodeRun = Schema["NodeRun"];

/** Without an id, of an address that has none, nothing is read. */
export function useExecution(id: number | undefined) {
  useTopic(id === undefined ? undefined : `execution:${id}`);
  const pace = usePace(3_000);
  return useQuery({
    queryKey: ["execution", id],
    queryFn: ({ signal }) => get("/api/v1/executions/{id}", { params: { id: id ?? 0 }, signal }),
    enabled: id !== undefined,
    refetchInterval: (query) => (query.state.data?.finished_at ? false : pace),
  });
}
