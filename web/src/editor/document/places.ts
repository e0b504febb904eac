// Nodes brought into line, and a whole flow laid out anew. Pure but for the layout's library, which is loaded then.
import { drawingOf, partsOf } from "../../canvas/drawing";
import { layout } from "../../canvas/layout";
import { isPartType, type NodeTypes, sizes } from "../../canvas/ports";
import { freePlace } from "./addition";
import { type Command, moveNodes } from "./commands";
import { type Ends, endsIn, type FlowDocument, type FlowNode, nodeOf, type Point, pointOf } from "./model";

export type Line = "left" | "middle" | "top" | "across" | "down";

const GAP = 60;

const placeOf = ({ position }: FlowNode): Point => position ?? [0, 0];

const parts = new WeakMap<FlowDocument, ReadonlySet<string>>();

/** The nodes that hang on others. */
function partsIn(document: FlowDocument): ReadonlySet<string> {
  const own = parts.get(document) ?? partsOf(drawingOf(document));
  parts.set(document, own);
  return own;
}

export function sizeOf(document: FlowDocument, types: NodeTypes, node: FlowNode): { width: number; height: number } {
  return isPartType(types.get(node.type)) || partsIn(document).has(node.id) ? sizes.part : sizes.main;
}

/** "across" and "down" give them equal gaps; the outermost stay. */
export function aligned(document: FlowDocument, types: NodeTypes, ids: ReadonlySet<string>, line: Line): Command {
  const boxes = document.nodes.filter(({ id }) => ids.has(id)).map((node) => ({ id: node.id, at: placeOf(node), ...sizeOf(document, types, node) }));
  if (boxes.length < 2) return (same) => same;
  const left = Math.min(...boxes.map(({ at }) => at[0]));
  const top = Math.min(...boxes.map(({ at }) => at[1]));
  const middle = boxes.reduce((sum, { at, height }) => sum + at[1] + height / 2, 0) / boxes.length;
  if (line === "left") return moveNodes(new Map(boxes.map(({ id, at }) => [id, [left, at[1]]])));
  if (line === "top") return moveNodes(new Map(boxes.map(({ id, at }) => [id, [at[0], top]])));
  if (line === "middle") return moveNodes(new Map(boxes.map(({ id, at, height }) => [id, [at[0], middle - height / 2]])));
  const axis = line === "across" ? 0 : 1;
  const long = ({ width, height }: { width: number; height: number }) => (line === "across" ? width : height);
  const ordered = [...boxes].sort((one, other) => one.at[axis] - other.at[axis]);
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (!first || !last) return (same) => same;
  const gap = (last.at[axis] - first.at[axis] - ordered.slice(0, -1).reduce((sum, box) => sum + long(box), 0)) / (ordered.length - 1);
  let next = first.at[axis];
  const places = ordered.map((box): [string, Point] => {
    const place: Point = axis === 0 ? [next, box.at[1]] : [box.at[0], next];
    next += long(box) + gap;
    return [box.id, place];
  });
  return moveNodes(new Map(places));
}

export async function tidied(document: FlowDocument): Promise<Command> {
  return moveNodes(await layout(drawingOf(document)));
}

const isPlaced = ({ position }: FlowNode) => pointOf(position) !== undefined;

/** Beside a node that it is connected with, where one of them has a place. */
function placeNear(node: FlowNode, places: ReadonlyMap<string, Point>, ends: readonly Ends[]): Point | undefined {
  for (const { type, from, to } of ends) {
    if (from !== node.id && to !== node.id) continue;
    const near = places.get(from === node.id ? to : from);
    if (!near) continue;
    const side = from === node.id ? -1 : 1;
    return type === "main" ? [near[0] + side * (sizes.main.width + GAP), near[1]] : [near[0], near[1] - side * (sizes.main.height + GAP)];
  }
  return undefined;
}

/**
 * Every node has a place, and those that have one stay: the others get that of the same node in `like`, else one beside
 * what they are connected with. The same document where all have one.
 */
export function placedLike(document: FlowDocument, like?: FlowDocument): FlowDocument {
  if (document.nodes.every(isPlaced)) return document;
  const places = new Map<string, Point>();
  for (const node of document.nodes) {
    const place = pointOf(node.position) ?? pointOf(nodeOf(like ?? document, node.id)?.position);
    if (place) places.set(node.id, place);
  }
  const ends = endsIn(document);
  const waiting = document.nodes.filter(({ id }) => !places.has(id));
  while (waiting.length > 0) {
    const near = Math.max(0, waiting.findIndex((node) => placeNear(node, places, ends)));
    const [node] = waiting.splice(near, 1);
    if (!node) break;
    const lowest = Math.max(0, ...[...places.values()].map(([, y]) => y + sizes.main.height + GAP));
    const present = [...places].map(([id, position]) => ({ id, position }));
    places.set(node.id, freePlace({ nodes: present }, placeNear(node, places, ends) ?? [0, lowest]));
  }
  return { ...document, nodes: document.nodes.map((node) => (isPlaced(node) ? node : { ...node, position: places.get(node.id) ?? [0, 0] })) };
}

/** The same, but where no node has a place, they are laid out. */
export async function placed(document: FlowDocument): Promise<FlowDocument> {
  if (document.nodes.length === 0 || document.nodes.some(isPlaced)) return placedLike(document);
  const places = await layout(drawingOf(document));
  return placedLike({ ...document, nodes: document.nodes.map((node) => ({ ...node, position: places.get(node.id) ?? [0, 0] })) });
}
