// Which ports fit together, and why others do not. The words are shown before a person lets go of a connection. Pure.
import { inputsOf, type NamedPort, type NodeTypes, outputsOf } from "../../canvas/ports";
import { connectionsOf, type Ends, endsOf, type FlowDocument, type FlowNode, keyOfEnds, nodeOf } from "./model";

interface BoundedPort {
  name?: unknown;
  most?: unknown;
}

export const inputsAt = (types: NodeTypes, node: FlowNode): NamedPort[] => inputsOf(types.get(node.type));

export const outputsAt = (types: NodeTypes, node: FlowNode): NamedPort[] => outputsOf(types.get(node.type), { parameters: node.parameters, catches: node.on_error === "error_output" });

const kindWords: Record<string, string> = { main: "items", ai_model: "a model", ai_memory: "a memory", ai_tool: "a tool" };
export const wordsOfKind = (kind: string): string => kindWords[kind] ?? kind.replace(/^ai_/, "").replaceAll("_", " ");

/** The way along items from one node to another, both included. */
function wayBetween(document: FlowDocument, from: string, to: string): string[] | undefined {
  const next = new Map<string, string[]>();
  for (const each of connectionsOf(document).map((connection) => endsOf(document, connection))) if (each.type === "main") next.set(each.from, [...(next.get(each.from) ?? []), each.to]);
  const before = new Map<string, string>();
  const queue = [from];
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    if (id === to) {
      const way = [to];
      for (let step = before.get(to); step !== undefined; step = before.get(step)) way.unshift(step);
      return way;
    }
    for (const other of next.get(id) ?? [])
      if (!before.has(other) && other !== from) {
        before.set(other, id);
        queue.push(other);
      }
  }
  return undefined;
}

/** Why the connection is refused; undefined where it is not. Its type is that of the output. */
export function refusalOf(document: FlowDocument, types: NodeTypes, ends: Omit<Ends, "type">): string | undefined {
  const [from, to] = [nodeOf(document, ends.from), nodeOf(document, ends.to)];
  if (!from || !to) return "There is no such node.";
  if (from.id === to.id) return "A node is not connected with itself.";
  const output = outputsAt(types, from).find(({ name }) => name === ends.output);
  const input = inputsAt(types, to).find(({ name }) => name === ends.input);
  if (!output) return `${from.name} has no output ${ends.output}.`;
  if (!input) return `${to.name} has no input ${ends.input}.`;
  if (output.kind !== input.kind) return `${from.name} gives ${wordsOfKind(output.kind)}. This input of ${to.name} takes ${wordsOfKind(input.kind)}.`;
  const present = connectionsOf(document).map((each) => endsOf(document, each));
  if (present.some((each) => keyOfEnds(each) === keyOfEnds({ ...ends, type: output.kind }))) return "They are connected already.";
  const { most } = (types.get(to.type)?.inputs?.find((port) => (port as BoundedPort).name === input.name) ?? {}) as BoundedPort;
  const taken = present.filter((each) => each.to === to.id && each.input === input.name && each.type === input.kind).length;
  if (typeof most === "number" && taken >= most) return most === 1 ? `${to.name} has ${wordsOfKind(input.kind)} already, and takes no other.` : `${to.name} takes no more than ${most} here.`;
  if (output.kind !== "main") return undefined;
  const way = wayBetween(document, to.id, from.id);
  return way && `This leads in a circle: ${[...way, to.id].map((id) => nodeOf(document, id)?.name ?? id).join(" → ")}.`;
}

/** With its type, where it is not refused. */
export function endsBetween(document: FlowDocument, types: NodeTypes, ends: Omit<Ends, "type">): Ends | undefined {
  if (refusalOf(document, types, ends) !== undefined) return undefined;
  const from = nodeOf(document, ends.from);
  const kind = from && outputsAt(types, from).find(({ name }) => name === ends.output)?.kind;
  return kind === undefined ? undefined : { ...ends, type: kind };
}

export interface Candidate {
  ends: Omit<Ends, "type">;
  node: FlowNode;
  port: NamedPort;
  refusal: string | undefined;
}

/** All ports of other nodes that a connection from this one could end at: those that fit come first. */
export function candidatesFor(document: FlowDocument, types: NodeTypes, from: FlowNode, output: string): Candidate[] {
  const all = document.nodes.filter((node) => node.id !== from.id).flatMap((node) =>
    inputsAt(types, node).map((port): Candidate => {
      const ends = { from: from.id, output, to: node.id, input: port.name };
      return { ends, node, port, refusal: refusalOf(document, types, ends) };
    }),
  );
  return [...all.filter(({ refusal }) => !refusal), ...all.filter(({ refusal }) => refusal)];
}
