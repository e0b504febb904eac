import { useQuery } from "@tanstack/react-query";

import { type Described, get, type Schema } from "../api/client";
import { usePace } from "../api/live";
import { queryClient } from "../api/query-client";

export type Collection = Schema["Collection"];
export type Access = Schema["CollectionAccess"];
export type Document = Schema["Document"];
export type Part = Described<"/api/v1/collections/{name}/documents/{id}/parts", "get">["parts"][number];
export type Result = Schema["KnowledgeResult"];
export type Metadata = Record<string, unknown>;

const SOON_MS = 2_000;

export const addressOfCollection = (name: string): string => `/knowledge/${encodeURIComponent(name)}`;
export const addressOfDocument = (collection: string, id: number | bigint): string => `${addressOfCollection(collection)}/${id}`;

/** No stream tells of collections: they are read again from time to time. */
export function useCollections() {
  const refetchInterval = usePace(10_000, false);
  return useQuery({ queryKey: ["collections"], queryFn: ({ signal }) => get("/api/v1/collections", { signal }), refetchInterval });
}

export function useCollection(name: string) {
  const refetchInterval = usePace(10_000, false);
  return useQuery({ queryKey: ["collections", name], queryFn: ({ signal }) => get("/api/v1/collections/{name}", { params: { name }, signal }), refetchInterval });
}

/** `isBusy`: it changes soon. */
export function useDocument(collection: string, id: string, isBusy: (document: Document) => boolean) {
  const pace = usePace(10_000, false);
  return useQuery({
    queryKey: ["documents", collection, id],
    queryFn: ({ signal }) => get("/api/v1/collections/{name}/documents/{id}", { params: { name: collection, id }, signal }),
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? SOON_MS : pace),
  });
}

export function useSearch(collection: string, query: string, filter: string | undefined, enabled: boolean) {
  return useQuery({
    queryKey: ["knowledge-search", collection, query, filter],
    queryFn: ({ signal }) => get("/api/v1/collections/{name}/search", { params: { name: collection }, query: { query, filter }, signal }),
    enabled,
  });
}

/** The parts of keys that a change of documents concerns. */
export const changedKeys = ["documents", "collections", "knowledge-search"] as const;

export function readAgain(): void {
  for (const key of changedKeys) void queryClient.invalidateQueries({ queryKey: [key] });
}
