// Nodes that were copied in n8n: the server makes nodes of ours of them, and says what a person should look at.
import { post } from "../../api/client";
import { parseJson } from "../../api/json";
import { workflowOf } from "../../flows/n8n";
import type { FlowProblem } from "../../flows/operate";
import { documentOf, type FlowDocument } from "../document/model";
import { type PlacedProblem, placedIn } from "../problems/placed";

/** What is in the clipboard, if it comes from n8n. */
export function workflowIn(text: string): object | undefined {
  if (!text.includes('"nodes"')) return undefined;
  try {
    return workflowOf(parseJson(text));
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
