// The whole audit as lines of JSON, page by page, as `postrider audit export` writes it.
import type { Schema } from "../api/client";
import { printJson } from "../api/json";

interface Page {
  entries: readonly Schema["AuditEntry"][];
  next?: string;
}

/** `tell` hears how many lines there are. Undefined: it was stopped. */
export async function linesOfAll(ask: (cursor: string | undefined) => Promise<Page>, tell: (lines: number) => void, stopped: () => boolean): Promise<string[] | undefined> {
  const lines: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await ask(cursor);
    for (const entry of page.entries) lines.push(`${printJson(entry)}\n`);
    tell(lines.length);
    if (stopped()) return undefined;
    if (page.next === undefined) return lines;
    cursor = page.next;
  }
}
