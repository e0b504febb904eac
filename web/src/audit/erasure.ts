// The erasure of a person's words, page by page. What was cleared stays so when it is stopped.
import type { Schema } from "../api/client";

type Page = Schema["Erasure"];

export interface Erased {
  pages: number;
  /** Rows by table. */
  cleared: Record<string, number>;
  /** Turns that were asked to stop: erase again afterwards. */
  running: number;
  unknown: number;
  quoted: number;
  /** Where it is; absent at the end. */
  place?: string;
}

const none = (): Erased => ({ pages: 0, cleared: {}, running: 0, unknown: 0, quoted: 0 });

function added(sum: Erased, page: Page): Erased {
  const cleared = { ...sum.cleared };
  for (const [table, rows] of Object.entries(page.cleared)) cleared[table] = (cleared[table] ?? 0) + rows;
  const next: Erased = { pages: sum.pages + 1, cleared, running: sum.running + page.running, unknown: sum.unknown + page.unknown, quoted: sum.quoted + page.quoted };
  // A cursor is "jobs", or "jobs:[123]".
  return page.next === undefined ? next : { ...next, place: page.next.split(":")[0] ?? "" };
}

/** Asks page after page until there is no more, or until it is stopped. `tell` hears of each. */
export async function eraseAll(ask: (cursor: string | undefined) => Promise<Page>, tell: (erased: Erased) => void, stopped: () => boolean): Promise<Erased> {
  let sum = none();
  for (let cursor: string | undefined; ; ) {
    const page = await ask(cursor);
    sum = added(sum, page);
    tell(sum);
    if (page.next === undefined || stopped()) return sum;
    cursor = page.next;
  }
}
