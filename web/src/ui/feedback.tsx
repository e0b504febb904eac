// What a page shows while it has nothing else to show. A wait has an end: requests have deadlines, and a
// failure comes with a button that tries again.
import type { ReactNode } from "react";

import { isForbidden, reasonsOf, wordsOf } from "../api/problem";
import { Button } from "./button";

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

export function Waiting() {
  return (
    <div className="waiting" role="status">
      Reading…
    </div>
  );
}

export function Failure({ error, again }: { error: unknown; again?: () => void }) {
  return (
    <div className="failure" role="alert">
      <span>{isForbidden(error) ? "Your role does not allow you to see this." : wordsOf(error)}</span>
      {again && <Button onClick={again}>Try again</Button>}
    </div>
  );
}

/** Why an operation failed: what the server says of it as a whole, and each mistake by itself. */
export function Refusal({ error }: { error: unknown }) {
  const { words, mistakes } = reasonsOf(error);
  return (
    <div role="alert" className="bad">
      {words && <p>{words}</p>}
      {mistakes.length > 0 && <ul>{mistakes.map((mistake) => <li key={mistake}>{mistake}</li>)}</ul>}
    </div>
  );
}

interface QueryLike<Data> {
  data: Data | undefined;
  error: unknown;
  isPending: boolean;
  refetch: () => unknown;
}

/** The query's data, or why there is none. Old data stays visible under a failure of a later read. */
export function Loaded<Data>({ query, children }: { query: QueryLike<Data>; children: (data: Data) => ReactNode }) {
  return (
    <>
      {query.error !== null && query.error !== undefined && <Failure error={query.error} again={() => void query.refetch()} />}
      {query.data !== undefined ? children(query.data) : query.isPending && <Waiting />}
    </>
  );
}
