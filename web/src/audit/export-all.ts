// The whole audit as lines of JSON, page by page, as `postrider audit export` writes it.
import type { Schema } from "../api/client";
import { printJson } from "../api/json";

interface Page {
  entries: readonly Schema["AuditEntry"][];
  next?: string;
}

/**
 * `add` takes the lines of a page, and hears how many there are then: nothing here keeps what it has taken.
 * False: it was stopped.
 */
export async function exportAll(ask: (cursor: string | undefined) => Promise<Page>, add: (lines: string, count: number) => unknown, stopped: () => boolean): Promise<boolean> {
  let count = 0;
  for (let cursor: string | undefined; ; ) {
    const page = await ask(cursor);
    if (stopped()) return false;
    count += page.entries.length;
    await add(page.entries.map((entry) => `${printJson(entry)}\n`).join(""), count);
    if (page.next === undefined) return true;
    cursor = page.next;
  }
}
