// What can be completed in an expression. Pure.

export interface Names {
  /** Of nodes whose results can be named. */
  nodes: readonly string[];
  /** The item that an expression reads, as the last execution had it. */
  item: unknown;
  variables: readonly string[];
  functions?: readonly FunctionHelp[] | undefined;
}

export interface Choice {
  label: string;
  detail: string;
  /** What is written, where it is another text. */
  apply?: string;
  /** More about it, beside the list. */
  info?: string;
  /** Behind the others. */
  late?: boolean;
}

const names: readonly Choice[] = [
  { label: "$json", detail: "the item" },
  { label: "$node", detail: "the result of an earlier node", apply: '$node["' },
  { label: "$input", detail: "all items of the input" },
  { label: "$session", detail: "the conversation" },
  { label: "$now", detail: "the execution's clock" },
  { label: "$execution", detail: "this execution" },
  { label: "$vars", detail: "the flow's variables" },
];

/** As the server describes a function. */
export interface FunctionHelp {
  /** "math.abs" has its dot. */
  name: string;
  style: "function" | "method";
  signature: string;
  help: string;
}

const call = (name: string, detail: string): Choice => ({ label: name, detail, apply: `${name}(`, late: true });
// Where the server's list is not read yet.
const usualFunctions: readonly Choice[] = ["has", "size", "string", "int", "double", "bool", "timestamp", "duration"].map((name) => call(name, "function"));
const usualMethods: readonly Choice[] = ["contains", "startsWith", "endsWith", "matches", "map", "filter", "exists", "all", "size"].map((name) => call(name, "method"));

function callsOf(style: FunctionHelp["style"], { functions }: Names): readonly Choice[] {
  if (!functions) return style === "function" ? usualFunctions : usualMethods;
  return functions.filter((candidate) => candidate.style === style).map(({ name, signature, help }) => ({ ...call(name, signature), info: help }));
}

const members: Record<string, readonly string[]> = {
  $session: ["id", "lane", "bot", "chat", "thread", "user", "conversation"],
  $execution: ["id", "flow", "version"],
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const wordsOf = (value: unknown) => (Array.isArray(value) ? "list" : value === null ? "null" : typeof value);

function fieldsOf(value: unknown): Choice[] {
  return isObject(value) ? Object.entries(value).filter(([name]) => /^[A-Za-z_]\w*$/.test(name)).map(([label, own]) => ({ label, detail: wordsOf(own) })) : [];
}

function fieldsAt(path: readonly string[], { item, variables }: Names): Choice[] {
  const [root, ...rest] = path;
  if (root === "$json") return fieldsOf(rest.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), item));
  if (rest.length > 0) return [];
  if (root === "$vars") return variables.map((label) => ({ label, detail: "variable" }));
  return (members[root ?? ""] ?? []).map((label) => ({ label, detail: "" }));
}

/** Whether the end of the text is inside {{ }}. */
export const isInside = (before: string): boolean => before.lastIndexOf("{{") > before.lastIndexOf("}}");

/** Behind a word and a dot: functions with such a name, such as math.abs, else methods of a macro's variable. */
function memberOfWord(before: string, written: string, word: string, vocabulary: Names): { from: number; choices: readonly Choice[] } {
  const own = callsOf("function", vocabulary).filter(({ label }) => label.startsWith(`${word}.`));
  if (own.length > 0) return { from: before.length - written.length, choices: own };
  return { from: before.length - (written.length - word.length - 1), choices: callsOf("method", vocabulary) };
}

/** `before`: the text up to the cursor. `from`: where what is completed begins. */
export function choicesAt(before: string, vocabulary: Names): { from: number; choices: readonly Choice[] } | undefined {
  if (!isInside(before)) return undefined;
  const node = /\$node\["([^"\]]*)$/.exec(before);
  if (node) return { from: before.length - (node[1]?.length ?? 0), choices: vocabulary.nodes.map((label) => ({ label, detail: "node", apply: `${label.replace(/[\\"]/g, "\\$&")}"].json` })) };
  const result = /\$node\["[^"\]]*"\]\.(\w*)$/.exec(before);
  if (result) return { from: before.length - (result[1]?.length ?? 0), choices: [{ label: "json", detail: "its first item" }, { label: "items", detail: "all its items" }] };
  const member = /((?:\$\w+)(?:\.\w+)*)\.(\w*)$/.exec(before);
  if (member) return { from: before.length - (member[2]?.length ?? 0), choices: [...fieldsAt((member[1] ?? "").split("."), vocabulary), ...callsOf("method", vocabulary)] };
  const dotted = /(?:^|[^\w$.])(([A-Za-z_]\w*)\.\w*)$/.exec(before);
  if (dotted) return memberOfWord(before, dotted[1] ?? "", dotted[2] ?? "", vocabulary);
  const word = /(\$?\w*)$/.exec(before)?.[1] ?? "";
  return { from: before.length - word.length, choices: [...names, ...callsOf("function", vocabulary)] };
}
