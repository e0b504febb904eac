// A new node, and the connection that it has from the start: behind the port that it was pulled from, or with the node
// that is selected, where that fits. Pure.
import { isPartType, type NodeType, type NodeTypes, sizes } from "../../canvas/ports";
import { addNodes, combined, type Command, connect, newNode } from "./commands";
import { endsBetween, inputsAt, outputsAt } from "./fitting";
import { type Ends, type FlowDocument, type FlowNode, nodeOf, type Point } from "./model";

export interface Port {
  node: string;
  name: string;
  side: "input" | "output";
}

const GAP = 60;
const STEP = 24;

/** Moved down until it covers no other node. */
export function freePlace(flow: { readonly nodes: readonly Pick<FlowNode, "position">[] }, [x, y]: Point): Point {
  const covers = ({ position }: Pick<FlowNode, "position">) => position && Math.abs(position[0] - x) < sizes.main.width && Math.abs(position[1] - y) < sizes.main.height;
  return flow.nodes.some(covers) ? freePlace(flow, [x, y + sizes.main.height + STEP]) : [x, y];
}

function placeBeside({ position = [0, 0] }: FlowNode, part: boolean, port: Port | undefined): Point {
  const [x, y] = position;
  if (part) return [x, y + sizes.main.height + GAP];
  return [port?.side === "input" ? x - sizes.main.width - GAP : x + sizes.main.width + GAP, y];
}

/** The first pair of ports that fits, between a node of the document and the new one. */
function firstEnds(document: FlowDocument, types: NodeTypes, from: FlowNode, to: FlowNode, port?: Port): Ends | undefined {
  const outputs = outputsAt(types, from).filter(({ name }) => port?.side !== "output" || name === port.name);
  const inputs = inputsAt(types, to).filter(({ name }) => port?.side !== "input" || name === port.name);
  for (const output of outputs)
    for (const input of inputs) {
      const ends = endsBetween(document, types, { from: from.id, output: output.name, to: to.id, input: input.name });
      if (ends) return ends;
    }
  return undefined;
}

function endsFor(document: FlowDocument, types: NodeTypes, node: FlowNode, beside: FlowNode, port: Port | undefined): Ends | undefined {
  if (port?.side === "output") return firstEnds(document, types, beside, node, port);
  if (port?.side === "input") return firstEnds(document, types, node, beside, port);
  return firstEnds(document, types, isPartType(types.get(node.type)) ? node : beside, isPartType(types.get(node.type)) ? beside : node);
}

interface Options {
  /** Where a person wants it; else beside that node, else at the centre of what is in sight. */
  at?: Point | undefined;
  beside?: string | undefined;
  port?: Port | undefined;
  centre: Point;
}

export function additionOf(document: FlowDocument, types: NodeTypes, type: NodeType, { at, beside, port, centre }: Options): { command: Command; id: string } {
  const neighbour = nodeOf(document, port?.node ?? beside);
  const part = isPartType(type);
  const place = at ?? freePlace(document, neighbour ? placeBeside(neighbour, part, port) : centre);
  const node = newNode(document, { type: type.name ?? "", title: type.title ?? type.name ?? "", position: place });
  const add = addNodes([node]);
  const ends = neighbour && endsFor(add(document), types, node, neighbour, port);
  return { command: ends ? combined(add, connect(ends)) : add, id: node.id };
}

/** Whether a new node of the type can be connected with that port. */
export function fits(document: FlowDocument, types: NodeTypes, type: NodeType, port: Port): boolean {
  const neighbour = nodeOf(document, port.node);
  const node = newNode(document, { type: type.name ?? "", title: "new", position: [0, 0] });
  return neighbour !== undefined && endsFor(addNodes([node])(document), types, node, neighbour, port) !== undefined;
}
