// What is done to flows, beside looking at them.
import { get, post, remove, type Schema } from "../api/client";
import { onceBy } from "../api/intention";
import { printJson } from "../api/json";
import { saveFile } from "../ui/save";

import { type Flow, readFlow } from "./queries";

export type { Flow };
export type FlowProblem = Schema["FlowProblem"];
export type FlowStart = Schema["FlowStart"];

/** Lists to read again when a flow has changed. */
export const changesOfFlow = ["flows", "flow", "flow-diff"];

/** Refused where the draft is another one than the person saw. */
const asSeen = ({ tag }: Flow) => ({ headers: { "If-Match": tag } });

export const operateFlow = (flow: Flow, verb: "publish" | "archive" | "unarchive", body: object = {}) =>
  post(`/api/v1/flows/{name}/${verb}` as "/api/v1/flows/{name}/archive", body, { params: { name: flow.name }, ...asSeen(flow) });

export const restoreVersion = (flow: Flow, version: string) =>
  post("/api/v1/flows/{name}/versions/{version}/restore", {}, { params: { name: flow.name, version }, ...asSeen(flow) });

/** Makes the version the draft and publishes it. */
export async function rollBack(flow: Flow, version: number): Promise<{ published_version: number }> {
  await restoreVersion(flow, String(version));
  return (await operateFlow(await readFlow(flow.name), "publish", { note: `Roll back to v${version}` })) as { published_version: number };
}

/** The version that a person restores most likely: that before the published one, where the draft is as published. */
export function usualVersion({ published_version: published, changed }: Pick<Flow, "published_version" | "changed">, versions: readonly number[]): number | null {
  const before = versions.filter((version) => published !== null && version < published);
  return changed || before.length === 0 ? published : Math.max(...before);
}

export const deleteFlow = (flow: Flow) => remove("/api/v1/flows/{name}", { params: { name: flow.name }, ...asSeen(flow) });

export const runFlow = (name: string, start: Omit<FlowStart, "pinned"> & { pinned?: object }, key: string) => post("/api/v1/flows/{name}/run", start, { params: { name }, ...onceBy(key) }) as Promise<{ job_id: number }>;

/** What keeps the draft from being published, and warnings. */
export async function problemsOfDraft(name: string, signal: AbortSignal): Promise<readonly FlowProblem[]> {
  const { document } = await get("/api/v1/flows/{name}", { params: { name }, signal });
  return (await post("/api/v1/flows/validate", document, { signal })).problems;
}

/** Saves a document as a file. `version`: a number, `published` or `draft`. */
export async function exportFlow(name: string, version: string): Promise<void> {
  const document = await get("/api/v1/flows/{name}/export", { params: { name }, query: { version } });
  saveFile(`${name}.json`, "application/json", [printJson(document, 2), "\n"]);
}
