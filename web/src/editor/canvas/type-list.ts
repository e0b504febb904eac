// The types of nodes as a palette shows them: by group, and those that match what a person types. Pure.
import type { NodeType, NodeTypes } from "../../canvas/ports";
import { wordsOfKind } from "../document/fitting";

export interface TypeGroup {
  title: string;
  types: readonly NodeType[];
}

const first = ["trigger", "agent", "logic", "action"];
const titles: Record<string, string> = { trigger: "Triggers", agent: "Agents", logic: "Logic", action: "Actions", ai_model: "Models", ai_memory: "Memories", ai_tool: "Tools" };

/** Without the marks of Markdown. */
export const plainText = (words: string | undefined): string => (words ?? "").replace(/[*`]/g, "");

export function titleOfGroup(group: string): string {
  const words = titles[group] ?? wordsOfKind(group);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Every word is somewhere in the type; a title that begins with the text comes first. */
function rankOf({ name = "", title = "", description = "" }: NodeType, search: string): number {
  const text = `${title} ${name} ${description}`.toLowerCase();
  if (!search.split(/\s+/).every((word) => text.includes(word))) return -1;
  return title.toLowerCase().startsWith(search) ? 0 : title.toLowerCase().includes(search) ? 1 : name.includes(search) ? 2 : 3;
}

export function groupsOf(types: NodeTypes, search: string, fits: (type: NodeType) => boolean = () => true): TypeGroup[] {
  const text = search.trim().toLowerCase();
  const found = [...types.values()].map((type) => ({ type, rank: rankOf(type, text) })).filter(({ type, rank }) => rank >= 0 && fits(type));
  if (text) return found.length > 0 ? [{ title: "Found", types: found.sort((one, other) => one.rank - other.rank).map(({ type }) => type) }] : [];
  const groups = [...new Set(found.map(({ type }) => type.group ?? ""))];
  const placeOf = (group: string) => (first.includes(group) ? first.indexOf(group) : first.length);
  return groups
    .sort((one, other) => placeOf(one) - placeOf(other) || one.localeCompare(other))
    .map((group) => ({ title: titleOfGroup(group), types: found.filter(({ type }) => (type.group ?? "") === group).map(({ type }) => type) }));
}
