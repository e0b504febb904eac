// Lists that the server answers page by page with a key: `next` of a page is `cursor` of the following.
import { useInfiniteQuery } from "@tanstack/react-query";

import { type Described, get, type PathsWith, type Query } from "../api/client";
import { useListPace } from "../api/live";
import { Button } from "./button";

type Page = Record<string, unknown> & { next?: string };
type RowOf<Path extends PathsWith<"get">, Name extends string> = Described<Path, "get"> extends { [N in Name]: (infer Row)[] } ? Row : never;

interface Options {
  query?: Query;
  params?: Record<string, string | number>;
  /** What the path calls the key of a page. */
  page?: "cursor" | "after";
  /** A row that changes soon: the list is read again in `SOON_MS`. */
  isBusy?: (row: never) => boolean;
}

const SOON_MS = 2_000;

/**
 * The rows that `path` answers as `name`. The first part of `key` names the topic that the list follows. Without such
 * a topic the list is read again from time to time.
 */
export function useKeyset<Path extends PathsWith<"get">, Name extends string>(path: Path, name: Name, key: readonly unknown[], { query = {}, params = {}, page = "cursor", isBusy }: Options = {}) {
  const pace = useListPace(key);
  const list = useInfiniteQuery({
    queryKey: [...key, query],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const answer: unknown = await get(path, { params, query: { ...query, [page]: pageParam }, signal });
      return answer as Page;
    },
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) => (isBusy && state.data?.pages.some((answer) => (answer[name] as never[]).some(isBusy)) ? SOON_MS : pace),
  });
  const rows = list.data?.pages.flatMap((page) => page[name] as RowOf<Path, Name>[]);
  return { ...list, rows };
}

/** What a list needs of it. */
export interface Keyset<Row> extends MoreList {
  rows: Row[] | undefined;
  error: unknown;
  isPending: boolean;
  refetch: () => unknown;
}

interface MoreList {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

export function More({ list }: { list: MoreList }) {
  if (!list.hasNextPage) return null;
  return (
    <div className="more">
      <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {list.isFetchingNextPage ? "Reading…" : "Load more"}
      </Button>
    </div>
  );
}
