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

/** Why the node cannot be called so; undefined where it can. */
export function nameRefusal({ nodes }: FlowDocument, id: string, name: string): string | undefined {
  const other = nodes.find((node) => node.id !== id && (node.name === name || node.id === name));
  return other && (other.name === name ? "Another node has this name." : "Another node has this as its id.");
}

const ID = /^[A-Za-z0-9_-]{1,40}$/;

/** The same, where it is one that the format allows and nothing has it. */
export const ownId = (wanted: string, taken: ReadonlySet<string>): string => (ID.test(wanted) && !taken.has(wanted) ? wanted : freeId(wanted, taken));

/** On one line, and no longer than the format allows. */
export const cleanName = (wanted: string): string => wanted.replace(/[\u0000-\u001f\u007f]+/g, " ").trim().slice(0, MOST_NAME).trim() || "Node";

export const freeId = (wanted: string, taken: ReadonlySet<string>): string => free(wanted.toLowerCase().replace(/[^a-z0-9_-]+/g, "_").replace(/^_+|_+$/g, "") || "node", MOST_ID, "_", taken);

/** "Reply 2" after "Reply", and "Reply 3" after "Reply 2". */
export const freeName = (wanted: string, taken: ReadonlySet<string>): string => (taken.has(wanted) ? free(wanted.replace(/ \d+$/, ""), MOST_NAME, " ", taken) : wanted);
