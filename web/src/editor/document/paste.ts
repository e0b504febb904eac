// Nodes as a text that other flows, tabs and people read: a part of a document with its connections. Pure.
import { parseJson, printJson } from "../../api/json";
import { all, addNodes, type Command, connect } from "./commands";
import { connectionsOf, documentOf, endsOf, type FlowDocument, type FlowNode, isObject, type Point } from "./model";
import { freeId, freeName, takenIn } from "./names";
import { renamedIn } from "./rename";

const FORMAT = 1;

/** The nodes, and the connections between them. */
export function fragmentOf(document: FlowDocument, ids: ReadonlySet<string>): FlowDocument {
  const nodes = document.nodes.filter(({ id }) => ids.has(id));
  const connections = connectionsOf(document).filter((each) => {
    const { from, to } = endsOf(document, each);
    return ids.has(from) && ids.has(to);
  });
  return { format: FORMAT, name: document.name, nodes, connections };
}

export const textOf = (fragment: FlowDocument): string => printJson(fragment, 2);

/** A whole document is a fragment, too. Undefined where the text is none. */
export function fragmentIn(text: string): FlowDocument | undefined {
  try {
    const value = parseJson(text);
    const fragment = isObject(value) ? documentOf({ name: "pasted", ...value }) : undefined;
    return fragment && fragment.nodes.length > 0 ? fragment : undefined;
  } catch {
    return undefined;
  }
}

const placeOf = ({ position }: FlowNode, index: number): Point => position ?? [index * 40, index * 40];

/** The fragment with ids and names of its own, its upper left corner at the point. Its expressions follow the names. */
export function pasted(document: FlowDocument, fragment: FlowDocument, at: Point): { command: Command; ids: ReadonlySet<string> } {
  const taken = takenIn(document);
  const ids = new Map<string, string>();
  const names = new Map<string, string>();
  for (const { id, name } of fragment.nodes) {
    const next = freeName(name, taken);
    taken.add(next);
    const own = taken.has(id) ? freeId(id, taken) : id;
    taken.add(own);
    ids.set(id, own);
    if (next !== name) names.set(name, next);
  }
  const places = fragment.nodes.map(placeOf);
  const [left, top] = [Math.min(...places.map(([x]) => x)), Math.min(...places.map(([, y]) => y))];
  const nodes = fragment.nodes.map((node, index): FlowNode => {
    const [x, y] = places[index] ?? [0, 0];
    return { ...renamedIn(node, names), id: ids.get(node.id) ?? node.id, name: names.get(node.name) ?? node.name, position: [Math.round(at[0] + x - left), Math.round(at[1] + y - top)] };
  });
  const ends = connectionsOf(fragment)
    .map((each) => endsOf(fragment, each))
    .flatMap((each) => {
      const [from, to] = [ids.get(each.from), ids.get(each.to)];
      return from !== undefined && to !== undefined ? [{ ...each, from, to }] : [];
    });
  return { command: all(addNodes(nodes), connect(...ends)), ids: new Set(nodes.map(({ id }) => id)) };
}
