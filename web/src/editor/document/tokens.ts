// The words of the expressions in a text, cut as the server's lexer cuts them (docs/expressions.md): a string may hold
// braces and what looks like a reference, and a comment ends with its line or with the expression. Pure.

export interface Token {
  kind: "variable" | "name" | "text" | "symbol" | "other";
  /** Places in the whole text. */
  start: number;
  end: number;
  /** Of a name or a text: what it means. Of others: how it is written. */
  value: string;
}

const space = /(?:[ \t\r\n\f\u00a0]|\/\/(?:(?!\}\}|\n)[\s\S])*)+/y;
const raw = /[rR]("""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n]*"|'[^'\n]*')/y;
const string = /"""(?:\\[\s\S]|(?!""")[^\\])*"""|'''(?:\\[\s\S]|(?!''')[^\\])*'''|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/y;
const unclosed = /[rR]?["'][^\n]*/y; // reaches to the end of its line
const variable = /\$[A-Za-z_]\w*/y;
const name = /[A-Za-z_]\w*/y;
const quotedName = /`([^`\n]+)`/y;
const number = /(?:[0-9][0-9]*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\w*/y;

const escape = /\\(?:([abfnrtv\\"'`?])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2}))/g;
const simple: Record<string, string> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

const inside = (quoted: string) => (/^(?:"""|''')/.test(quoted) ? quoted.slice(3, -3) : quoted.slice(1, -1));
const decoded = (text: string) =>
  text.replace(escape, (whole, sign: string | undefined, two?: string, four?: string, eight?: string, octal?: string) => {
    if (sign !== undefined) return simple[sign] ?? sign;
    const point = octal === undefined ? Number.parseInt(two ?? four ?? eight ?? "", 16) : Number.parseInt(octal, 8);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });

function matched(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function tokenAt(text: string, start: number): Token {
  const token = (kind: Token["kind"], length: number, value: string): Token => ({ kind, start, end: start + length, value });
  let match = matched(raw, text, start);
  if (match) return token("text", match[0].length, inside(match[1] ?? ""));
  match = matched(string, text, start);
  if (match) return token("text", match[0].length, decoded(inside(match[0])));
  match = matched(quotedName, text, start);
  if (match) return token("name", match[0].length, match[1] ?? "");
  for (const [kind, pattern] of [["other", unclosed], ["other", number], ["variable", variable], ["name", name]] as const) {
    match = matched(pattern, text, start);
    if (match) return token(kind, match[0].length, match[0]);
  }
  return token("symbol", 1, text[start] ?? "");
}

/** Of the expression that begins there; undefined where no braces close it. */
function expressionAt(text: string, begin: number): { tokens: Token[]; end: number } | undefined {
  const tokens: Token[] = [];
  let open = 0;
  for (let at = begin; ; ) {
    at += matched(space, text, at)?.[0].length ?? 0;
    if (at >= text.length) return undefined;
    const token = tokenAt(text, at);
    if (token.kind === "symbol" && token.value === "}" && open === 0 && text.startsWith("}}", at)) return { tokens, end: at + 2 };
    if (token.kind === "symbol" && token.value === "{") open += 1;
    if (token.kind === "symbol" && token.value === "}" && open > 0) open -= 1;
    tokens.push(token);
    at = token.end;
  }
}

/** Of each expression between braces. Behind braces that nothing closes there is none. */
export function expressionsIn(text: string): Token[][] {
  const expressions: Token[][] = [];
  for (let begin = text.indexOf("{{"); begin >= 0; ) {
    const expression = expressionAt(text, begin + 2);
    if (!expression) break;
    expressions.push(expression.tokens);
    begin = text.indexOf("{{", expression.end);
  }
  return expressions;
}
