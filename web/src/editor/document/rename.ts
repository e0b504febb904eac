// Other names for nodes in expressions: $node["Name"], $node['Name'] and $node.Name inside {{ }}. Pure.
import { isObject } from "./model";

const expression = /\{\{[\s\S]*?\}\}/g;
const reference = /\$node\s*(?:\[\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*\]|\.([A-Za-z_]\w*))/g;
const identifier = /^[A-Za-z_]\w*$/;

const nameIn = (quoted: string) => quoted.slice(1, -1).replace(/\\(.)/gs, "$1");
const quotedAs = (quote: string, name: string) => quote + name.replace(/[\\"']/g, (sign) => (sign === "\\" || sign === quote ? `\\${sign}` : sign)) + quote;

export function renamedText(text: string, names: ReadonlyMap<string, string>): string {
  if (!text.includes("$node")) return text;
  return text.replace(expression, (whole) =>
    whole.replace(reference, (found, quoted: string | undefined, plain: string | undefined) => {
      const next = names.get(quoted === undefined ? (plain ?? "") : nameIn(quoted));
      if (next === undefined) return found;
      if (quoted === undefined) return identifier.test(next) ? `$node.${next}` : `$node[${quotedAs('"', next)}]`;
      return found.replace(quoted, () => quotedAs(quoted[0] ?? '"', next));
    }),
  );
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
