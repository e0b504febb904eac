// Nodes as a text that other flows, tabs and people read: a part of a document with its connections. What is pasted may
// come from anywhere: ids twice, places that are none. Pure.
import { parseJson, printJson } from "../../api/json";
import { type DrawnNote, keyOfNote, notesIn } from "../../canvas/notes";
import type { NodeTypes } from "../../canvas/ports";
import { combined, addNodes, type Command, connect, pin } from "./commands";
import { documentOf, endsIn, endsOf, type FlowDocument, type FlowNode, isObject, pinnedOf, type Point, pointOf } from "./model";
import { cleanName, freeName, ownId, takenIn } from "./names";
import { addNotes, takenNotes } from "./notes";
import { renamedNode } from "./rename";

const FORMAT = 1;

/** The nodes and notes, the connections between them, and pinned items. */
export function fragmentOf(document: FlowDocument, ids: ReadonlySet<string>): FlowDocument {
  const nodes = document.nodes.filter(({ id }) => ids.has(id));
  const connections = (document.connections ?? []).filter((connection) => {
    const { from, to } = endsOf(document, connection);
    return ids.has(from) && ids.has(to);
  });
  const pinned = Object.entries(pinnedOf(document)).filter(([name]) => nodes.some((node) => node.name === name));
  const notes = notesIn(document).filter(({ id }) => ids.has(keyOfNote(id)));
  return { format: FORMAT, name: document.name, nodes, connections, ...(notes.length > 0 ? { notes } : {}), ...(pinned.length > 0 ? { pinned: Object.fromEntries(pinned) } : {}) };
}

export const textOf = (fragment: FlowDocument): string => printJson(fragment, 2);

/** A whole document is a fragment, too. Undefined where the text is none. */
export function fragmentIn(text: string): FlowDocument | undefined {
  try {
    const value = parseJson(text);
    const fragment = isObject(value) ? documentOf({ ...value, name: typeof value.name === "string" ? value.name : "pasted" }) : undefined;
    return fragment && fragment.nodes.length + notesIn(fragment).length > 0 ? fragment : undefined;
  } catch {
    return undefined;
  }
}

const placeOf = ({ position }: FlowNode, index: number): Point => pointOf(position) ?? [index * 40, index * 40];

/** Ids and names that the document does not have, in the fragment's order. */
function ownNames(document: FlowDocument, fragment: FlowDocument): { id: string; name: string }[] {
  const taken = takenIn(document);
  return fragment.nodes.map((node) => {
    const name = freeName(cleanName(node.name), taken);
    taken.add(name);
    const id = ownId(node.id, taken);
    taken.add(id);
    return { id, name };
  });
}

/** The fragment with ids and names of its own, its upper left corner at the point. Its expressions follow the names. `idOf`: by the ids that the fragment has. */
export function pasted(document: FlowDocument, fragment: FlowDocument, at: Point, types?: NodeTypes): { command: Command; ids: ReadonlySet<string>; idOf: ReadonlyMap<string, string> } {
  const own = ownNames(document, fragment);
  // Of nodes that share an id or a name the first is meant.
  const ids = new Map<string, string>();
  const names = new Map<string, string>();
  fragment.nodes.forEach(({ id, name }, index) => {
    const next = own[index];
    if (!next) return;
    if (!ids.has(id)) ids.set(id, next.id);
    if (!names.has(name)) names.set(name, next.name);
  });
  const places = fragment.nodes.map(placeOf);
  const beside = notesIn(fragment);
  const corners = [...places, ...beside.map(({ x, y }): Point => [x, y])];
  const [left, top] = [Math.min(...corners.map(([x]) => x)), Math.min(...corners.map(([, y]) => y))];
  const nodes = fragment.nodes.map((node, index): FlowNode => {
    const [x, y] = places[index] ?? [left, top];
    return { ...renamedNode(node, names, types), ...own[index], position: [Math.round(at[0] + x - left), Math.round(at[1] + y - top)] };
  });
  const taken = takenNotes(document);
  const notes = beside.map((note): DrawnNote => {
    const id = ownId(note.id, taken);
    taken.add(id);
    return { ...note, id, x: Math.round(at[0] + note.x - left), y: Math.round(at[1] + note.y - top) };
  });
  const ends = endsIn(fragment).flatMap((pair) => {
    const [from, to] = [ids.get(pair.from), ids.get(pair.to)];
    return from !== undefined && to !== undefined ? [{ ...pair, from, to }] : [];
  });
  const pins = Object.entries(pinnedOf(fragment)).flatMap(([name, items]) => {
    const next = names.get(name);
    return next !== undefined && Array.isArray(items) ? [pin(next, items)] : [];
  });
  return { command: combined(addNodes(nodes), addNotes(notes), connect(...ends), ...pins), ids: new Set([...nodes.map(({ id }) => id), ...notes.map(({ id }) => keyOfNote(id))]), idOf: ids };
}
