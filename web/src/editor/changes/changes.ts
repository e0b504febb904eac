// What differs between two documents of a flow, as one drawing: all nodes and connections of both. Pure.
import { type Drawing, drawingOf, type DrawnConnection } from "../../canvas/drawing";
import { type FlowDocument, type FlowNode, isObject, isSame, keyOfEnds, nodeOf } from "../document/model";
import { placedLike } from "../document/places";

export interface ValueChange {
  /** JSON Pointer. */
  path: string;
  before?: unknown;
  after?: unknown;
}

export interface Changes {
  drawing: Drawing;
  added: number;
  changed: number;
  removed: number;
  /** Of the settings, and whatever else stands beside the nodes. */
  beside: readonly ValueChange[];
}

const escaped = (step: string) => step.replaceAll("~", "~0").replaceAll("/", "~1");

/** The innermost members that differ. A list that has another length differs as a whole. */
export function valueChanges(before: unknown, after: unknown, path = ""): ValueChange[] {
  if (isSame(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) return before.flatMap((item: unknown, index) => valueChanges(item, after[index], `${path}/${index}`));
  if (isObject(before) && isObject(after)) return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => valueChanges(before[name], after[name], `${path}/${escaped(name)}`));
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

const withoutPlace = ({ position: _position, ...rest }: FlowNode) => rest;

/** Where a node is on a drawing is no change of it. */
export const changesOfNode = (before: FlowNode | undefined, after: FlowNode | undefined): ValueChange[] => valueChanges(before && withoutPlace(before), after && withoutPlace(after));

const besideNodes = ({ nodes: _nodes, connections: _connections, notes: _notes, name: _name, ...rest }: FlowDocument) => rest;

export function changesBetween(published: FlowDocument, draft: FlowDocument): Changes {
  const old = placedLike(published, draft);
  const [before, after] = [drawingOf(old), drawingOf(draft)];
  const kinds = new Map(draft.nodes.map((node) => {
    const former = nodeOf(old, node.id);
    return [node.id, !former ? ("added" as const) : changesOfNode(former, node).length > 0 ? ("changed" as const) : undefined];
  }));
  const gone = before.nodes.filter(({ id }) => !kinds.has(id));
  const [keysAfter, keysBefore] = [new Set(after.connections.map(keyOfEnds)), new Set(before.connections.map(keyOfEnds))];
  const connections = [
    ...after.connections.map((connection): DrawnConnection => (keysBefore.has(keyOfEnds(connection)) ? connection : { ...connection, change: "added" })),
    ...before.connections.filter((connection) => !keysAfter.has(keyOfEnds(connection))).map((connection): DrawnConnection => ({ ...connection, change: "removed" })),
  ];
  const nodes = [...after.nodes.map((node) => ({ ...node, change: kinds.get(node.id) })), ...gone.map((node) => ({ ...node, change: "removed" as const }))];
  const count = (kind: string) => nodes.filter(({ change }) => change === kind).length;
  return { drawing: { ...after, nodes, connections }, added: count("added"), changed: count("changed"), removed: gone.length, beside: valueChanges(besideNodes(published), besideNodes(draft)) };
}
