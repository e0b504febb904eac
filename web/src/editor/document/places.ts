// Nodes brought into line, and a whole flow laid out anew. Pure but for the layout's library, which is loaded then.
import { drawingOf, partsOf } from "../../canvas/drawing";
import { layout } from "../../canvas/layout";
import { isPartType, type NodeTypes, sizes } from "../../canvas/ports";
import { type Command, moveNodes } from "./commands";
import type { FlowDocument, FlowNode, Point } from "./model";

export type Line = "left" | "middle" | "top" | "across" | "down";

/** Nodes without a place stand in the upper left corner until they are laid out. */
const placeOf = ({ position }: FlowNode): Point => position ?? [0, 0];

export function sizeOf(document: FlowDocument, types: NodeTypes, node: FlowNode): { width: number; height: number } {
  const hangs = isPartType(types.get(node.type)) || partsOf(drawingOf(document)).has(node.id);
  return hangs ? sizes.part : sizes.main;
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

/** Every node has a place: those without one are laid out with the rest of the flow. Undefined where all have one. */
export async function placed(document: FlowDocument): Promise<FlowDocument | undefined> {
  if (document.nodes.every(({ position }) => position)) return undefined;
  return (await tidied(document))(document);
}
