// The validator's problems at the nodes and fields that they concern. Pure.
import type { Mark } from "../../canvas/to-canvas";
import type { FlowProblem } from "../../flows/operate";
import { connectionsOf, endsOf, type FlowDocument } from "../document/model";

export interface PlacedProblem extends FlowProblem {
  /** Of the node that it concerns. */
  id: string | undefined;
  /** JSON Pointer within the node, or within the document where it concerns no node. */
  field: string;
}

const inNode = /^\/nodes\/([0-9]+)(\/.*)?$/s;
const inConnection = /^\/connections\/([0-9]+)/;

/** `document`: what was validated. */
export function placedIn(document: FlowDocument, problems: readonly FlowProblem[]): PlacedProblem[] {
  return problems.map((problem): PlacedProblem => {
    const [, index, field = ""] = inNode.exec(problem.path) ?? [];
    if (index !== undefined) return { ...problem, id: document.nodes[Number(index)]?.id, field };
    const connection = connectionsOf(document)[Number(inConnection.exec(problem.path)?.[1] ?? -1)];
    if (connection) return { ...problem, id: endsOf(document, connection).to, field: "" };
    return { ...problem, id: document.nodes.find(({ name }) => name === problem.node)?.id, field: problem.path };
  });
}

export const wordsOf = ({ message, hint }: FlowProblem): string => (hint ? `${message}: ${hint}` : message);

export function marksOf(problems: readonly PlacedProblem[]): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>();
  for (const problem of problems) {
    const { id, severity } = problem;
    if (id === undefined) continue;
    const before = marks.get(id);
    marks.set(id, { tone: severity === "error" || before?.tone === "bad" ? "bad" : "warn", words: [before?.words, wordsOf(problem)].filter(Boolean).join("; ") });
  }
  return marks;
}

/** Those of a field: `whole` has those of its members, too. */
export const problemsAt = (problems: readonly PlacedProblem[], field: string, whole = true): PlacedProblem[] =>
  problems.filter((problem) => problem.field === field || (whole && problem.field.startsWith(`${field}/`)));

export const pointerOf = (path: readonly (string | number)[]): string => path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
