// Other names for nodes in expressions: $node["Name"], $node.Name and $execution.resume["Name"] inside {{ }}. What only
// looks like one, within a string or a comment, stays. Pure.
import type { NodeTypes } from "../../canvas/ports";
import { type FlowNode, isObject } from "./model";
import { expressionsIn, type Token } from "./tokens";

const identifier = /^[A-Za-z_]\w*$/;

const quotedAs = (quote: string, name: string) => quote + name.replace(/[\\"']/g, (sign) => (sign === "\\" || sign === quote ? `\\${sign}` : sign)) + quote;

interface Change {
  start: number;
  end: number;
  text: string;
}

const isSymbol = (token: Token | undefined, value: string) => token?.kind === "symbol" && token.value === value;

/** Where the names of nodes begin behind the token: they are members of what it means. */
function ownerEnd(tokens: readonly Token[], at: number): number | undefined {
  const token = tokens[at];
  if (token?.kind !== "variable") return undefined;
  if (token.value === "$node") return at + 1;
  if (token.value !== "$execution" || !isSymbol(tokens[at + 1], ".")) return undefined;
  const name = at + (isSymbol(tokens[at + 2], "?") ? 3 : 2);
  return tokens[name]?.kind === "name" && tokens[name].value === "resume" ? name + 1 : undefined;
}

/** `at`: the token behind what has the nodes as members. */
function changeAt(text: string, tokens: readonly Token[], at: number, names: ReadonlyMap<string, string>): Change | undefined {
  const [first, isOptional] = [tokens[at], isSymbol(tokens[at + 1], "?")];
  const own = tokens[at + (isOptional ? 2 : 1)];
  const next = names.get(own?.value ?? "");
  if (!first || !own || next === undefined || next === own.value) return undefined;
  if (isSymbol(first, "[") && own.kind === "text" && isSymbol(tokens[at + (isOptional ? 3 : 2)], "]")) return { start: own.start, end: own.end, text: quotedAs(text[own.start] === "'" ? "'" : '"', next) };
  if (!isSymbol(first, ".") || own.kind !== "name") return undefined;
  if (identifier.test(next)) return { start: own.start, end: own.end, text: next };
  return { start: first.start, end: own.end, text: `[${isOptional ? "?" : ""}${quotedAs('"', next)}]` };
}

export function renamedText(text: string, names: ReadonlyMap<string, string>): string {
  if (!text.includes("{{") || !/\$(?:node|execution)/.test(text)) return text;
  const changes = expressionsIn(text).flatMap((tokens) =>
    tokens.flatMap((_token, at) => {
      const behind = ownerEnd(tokens, at);
      const change = behind === undefined ? undefined : changeAt(text, tokens, behind, names);
      return change ? [change] : [];
    }),
  );
  return changes.reduceRight((before, { start, end, text: next }) => before.slice(0, start) + next + before.slice(end), text);
}

/** In every text of a value. What has none of the names stays the same object. */
export function renamedIn<Value>(value: Value, names: ReadonlyMap<string, string>): Value {
  if (typeof value === "string") return renamedText(value, names) as Value;
  if (Array.isArray(value)) {
    const list = value.map((each: unknown) => renamedIn(each, names));
    return (list.some((each, index) => each !== value[index]) ? list : value) as Value;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, each]) => [name, renamedIn(each, names)] as const);
  return members.some(([name, each]) => each !== value[name]) ? (Object.fromEntries(members) as Value) : value;
}

interface Described {
  properties?: Readonly<Record<string, { "x-format"?: string }>>;
}

/** Some parameters are an expression without braces. */
const isBare = (types: NodeTypes | undefined, { type }: FlowNode, name: string) => (types?.get(type)?.parameters as Described | undefined)?.properties?.[name]?.["x-format"] === "expression";

const renamedBare = (text: string, names: ReadonlyMap<string, string>) => renamedText(`{{${text}}}`, names).slice(2, -2);

/** The node with its expressions renamed. Its note is prose and stays. `types`: they say which texts are expressions as a whole. */
export function renamedNode(node: FlowNode, names: ReadonlyMap<string, string>, types?: NodeTypes): FlowNode {
  const before = Object.entries(node.parameters ?? {});
  const after = before.map(([name, value]) => [name, typeof value === "string" && isBare(types, node, name) ? renamedBare(value, names) : renamedIn(value, names)] as const);
  return after.some(([, value], index) => value !== before[index]?.[1]) ? { ...node, parameters: Object.fromEntries(after) } : node;
}

/** Members by nodes' names, such as pinned items. */
export function renamedKeys<Value>(members: Readonly<Record<string, Value>>, names: ReadonlyMap<string, string>): Readonly<Record<string, Value>> {
  if (!Object.keys(members).some((name) => names.has(name))) return members;
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [names.get(name) ?? name, value]));
}
