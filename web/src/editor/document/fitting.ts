// Which ports fit together, and why others do not. The words are shown before a person lets go of a connection. Pure.
import { inputsOf, type NamedPort, type NodeTypes, outputsOf } from "../../canvas/ports";
import { type Ends, endsIn, type FlowDocument, type FlowNode, nodeOf } from "./model";

interface DeclaredInput {
  name?: unknown;
  most?: unknown;
  /** What comes back from the body of a loop: such a connection closes a circle. */
  loop?: unknown;
}

export const inputsAt = (types: NodeTypes, node: FlowNode): NamedPort[] => inputsOf(types.get(node.type));

export const outputsAt = (types: NodeTypes, node: FlowNode): NamedPort[] => outputsOf(types.get(node.type), { parameters: node.parameters, catches: node.on_error === "error_output" });

const kindWords: Record<string, string> = { main: "items", ai_model: "a model", ai_memory: "a memory", ai_tool: "a tool" };
export const wordsOfKind = (kind: string): string => kindWords[kind] ?? kind.replace(/^ai_/, "").replaceAll("_", " ");

const declaredInput = (types: NodeTypes, node: FlowNode | undefined, input: string) => types.get(node?.type ?? "")?.inputs?.find((port) => (port as DeclaredInput).name === input) as DeclaredInput | undefined;

const closesLoop = (document: FlowDocument, types: NodeTypes, { to, input }: Pick<Ends, "to" | "input">) => declaredInput(types, nodeOf(document, to), input)?.loop === true;

const ways = new WeakMap<FlowDocument, Map<string, ReadonlyMap<string, string>>>();

/** Along items, but for those that come back in loops: of each node that leads to this one, the next node on a shortest way. */
function waysTo(document: FlowDocument, types: NodeTypes, id: string): ReadonlyMap<string, string> {
  const waysHere = ways.get(document) ?? new Map<string, ReadonlyMap<string, string>>();
  ways.set(document, waysHere);
  const present = waysHere.get(id);
  if (present) return present;
  const before = new Map<string, string[]>();
  for (const { type, from, to, input } of endsIn(document))
    if (type === "main" && !closesLoop(document, types, { to, input })) {
      const list = before.get(to);
      if (list) list.push(from);
      else before.set(to, [from]);
    }
  const next = new Map<string, string>();
  const queue = [id];
  for (const node of queue)
    for (const other of before.get(node) ?? [])
      if (other !== id && !next.has(other)) {
        next.set(other, node);
        queue.push(other);
      }
  waysHere.set(id, next);
  return next;
}

/** The way along items from one node to another, both included. */
function wayBetween(document: FlowDocument, types: NodeTypes, from: string, to: string): string[] | undefined {
  const next = waysTo(document, types, to);
  if (!next.has(from)) return undefined;
  const way = [from];
  for (let step = next.get(from); step !== undefined; step = next.get(step)) way.push(step);
  return way;
}

const isEqual = (one: Ends, other: Ends) => one.from === other.from && one.to === other.to && one.output === other.output && one.input === other.input && one.type === other.type;

const MOST_STEPS = 6;
const shortened = (names: readonly string[]) => (names.length > MOST_STEPS ? [...names.slice(0, 3), "…", ...names.slice(-2)] : names);

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
  const present = endsIn(document);
  const own = { ...ends, type: output.kind };
  if (present.some((other) => isEqual(other, own))) return "They are connected already.";
  const { most, loop } = declaredInput(types, to, input.name) ?? {};
  const taken = () => present.filter((other) => other.to === to.id && other.input === input.name && other.type === input.kind).length;
  if (typeof most === "number" && taken() >= most) return most === 1 ? `${to.name} has ${wordsOfKind(input.kind)} already, and takes no other.` : `${to.name} takes no more than ${most} here.`;
  if (output.kind !== "main" || loop === true) return undefined;
  const way = wayBetween(document, types, to.id, from.id);
  return way && `This leads in a circle: ${shortened([...way, to.id].map((id) => nodeOf(document, id)?.name ?? id)).join(" → ")}.`;
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
  const candidates = document.nodes.filter((node) => node.id !== from.id).flatMap((node) =>
    inputsAt(types, node).map((port): Candidate => {
      const ends = { from: from.id, output, to: node.id, input: port.name };
      return { ends, node, port, refusal: refusalOf(document, types, ends) };
    }),
  );
  return [...candidates.filter(({ refusal }) => !refusal), ...candidates.filter(({ refusal }) => refusal)];
}
