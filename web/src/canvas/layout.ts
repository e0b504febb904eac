// Places for the nodes of a drawing that has none: items go from left to right, and parts stand in rows below
// the node that they hang on. The library is loaded when it is needed.
import { type Drawing, isMain, partsOf } from "./drawing";
import { sizes } from "./ports";
import type { Places } from "./to-canvas";

const IN_A_ROW = 4;
const GAP = 12;
const BELOW = 40;

/** The parts below each node, parts of parts included. */
function hangingOn(drawing: Drawing, parts: ReadonlySet<string>): Map<string, string[]> {
  const owners = new Map(drawing.connections.filter((each) => !isMain(each)).map(({ from, to }) => [from, to]));
  const hanging = new Map<string, string[]>();
  for (const part of parts) {
    const passed = new Set([part]);
    let owner = owners.get(part);
    while (owner !== undefined && parts.has(owner) && !passed.has(owner)) {
      passed.add(owner);
      owner = owners.get(owner);
    }
    if (owner !== undefined) hanging.set(owner, [...(hanging.get(owner) ?? []), part]);
  }
  return hanging;
}

function blockOf(parts: number) {
  const columns = Math.min(parts, IN_A_ROW);
  const rows = Math.ceil(parts / IN_A_ROW);
  return {
    width: Math.max(sizes.main.width, columns * (sizes.part.width + GAP) - GAP),
    height: sizes.main.height + (rows ? BELOW + rows * (sizes.part.height + GAP) - GAP : 0),
  };
}

export async function layout(drawing: Drawing): Promise<Places> {
  const dagre = await import("@dagrejs/dagre");
  const parts = partsOf(drawing);
  const hanging = hangingOn(drawing, parts);
  const graph = new dagre.Graph().setGraph({ rankdir: "LR", nodesep: 40, ranksep: 80 }).setDefaultEdgeLabel(() => ({}));
  for (const { id } of drawing.nodes) if (!parts.has(id)) graph.setNode(id, blockOf(hanging.get(id)?.length ?? 0));
  for (const each of drawing.connections) if (isMain(each) && !parts.has(each.from) && !parts.has(each.to)) graph.setEdge(each.from, each.to);
  dagre.layout(graph);
  const places = new Map<string, readonly [number, number]>();
  for (const { id } of drawing.nodes) {
    if (parts.has(id)) continue;
    const block = graph.node(id) as { x: number; y: number; width: number; height: number };
    const [left, top] = [block.x - block.width / 2, block.y - block.height / 2];
    places.set(id, [Math.round(left), Math.round(top)]);
    (hanging.get(id) ?? []).forEach((part, index) => {
      const [column, row] = [index % IN_A_ROW, Math.floor(index / IN_A_ROW)];
      places.set(part, [Math.round(left + column * (sizes.part.width + GAP)), Math.round(top + sizes.main.height + BELOW + row * (sizes.part.height + GAP))]);
    });
  }
  return places;
}
