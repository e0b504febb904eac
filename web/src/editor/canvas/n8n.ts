// Nodes that were copied in n8n: the server makes nodes of ours of them, and says what a person should look at.
import { post } from "../../api/client";
import { parseJson } from "../../api/json";
import type { FlowProblem } from "../../flows/operate";
import { documentOf, type FlowDocument, isObject } from "../document/model";
import { type PlacedProblem, placedIn } from "../problems/placed";

/** A workflow of n8n, or a part of one. There connections are an object, and positions are a list. */
export function workflowIn(text: string): object | undefined {
  if (!text.includes('"nodes"')) return undefined;
  try {
    const value = parseJson(text);
    if (!isObject(value) || !Array.isArray(value.nodes) || value.nodes.length === 0 || Array.isArray(value.connections)) return undefined;
    const isWhole = value.nodes.every((node: unknown) => isObject(node) && typeof node.type === "string" && /(?:^|[@/])n8n[-/]/.test(node.type));
    return isWhole ? { ...value, connections: value.connections ?? {} } : undefined;
  } catch {
    return undefined;
  }
}

export interface Converted {
  fragment: FlowDocument;
  problems: readonly PlacedProblem[];
}

export async function converted(workflow: object): Promise<Converted> {
  const { document, problems } = await post("/api/v1/flows/import-n8n", workflow, { query: { preview: true, name: "pasted" } });
  const fragment = documentOf(document);
  if (!fragment) throw new Error("The server made no nodes of it.");
  return { fragment, problems: placedIn(fragment, problems as readonly FlowProblem[]) };
}
