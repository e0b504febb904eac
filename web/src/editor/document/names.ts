// Ids and names that a document does not have yet. Pure.
import type { FlowDocument } from "./model";

const MOST_ID = 40;
const MOST_NAME = 100;

function free(wanted: string, most: number, gap: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted.slice(0, most))) return wanted.slice(0, most);
  for (let number = 2; ; number += 1) {
    const end = `${gap}${number}`;
    const next = wanted.slice(0, most - end.length) + end;
    if (!taken.has(next)) return next;
  }
}

/** A name is no id of another node either: the validator refuses it. */
export const takenIn = ({ nodes }: FlowDocument): Set<string> => new Set(nodes.flatMap(({ id, name }) => [id, name]));

export const freeId = (wanted: string, taken: ReadonlySet<string>): string => free(wanted.toLowerCase().replace(/[^a-z0-9_-]+/g, "_").replace(/^_+|_+$/g, "") || "node", MOST_ID, "_", taken);

/** "Reply 2" after "Reply", and "Reply 3" after "Reply 2". */
export const freeName = (wanted: string, taken: ReadonlySet<string>): string => (taken.has(wanted) ? free(wanted.replace(/ \d+$/, ""), MOST_NAME, " ", taken) : wanted);
