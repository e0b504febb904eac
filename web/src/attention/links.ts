// Where an item of attention leads: the page of what it is about, or the page that helps with it. Pure.
import type { Schema } from "../api/client";
import { titleOf } from "../api/words";
import { titleOfSettlement } from "../effects/settlements";

type Item = Pick<Schema["AttentionItem"], "kind" | "link_to">;

export interface Target {
  href: string;
  words: string;
}

const scopes = ["user", "chat", "agent", "flow"];

// A breaker is called like its limit: "bot:main", "provider:anthropic", "model:NAME".
const ofBreaker = (limit = ""): Target =>
  limit.startsWith("bot:") ? { href: "/bots", words: "Bots" } : { href: "/doctor", words: "Checks of the installation" };

/** The item's own page. */
export function targetOf({ kind, link_to: ids }: Item): Target | undefined {
  switch (kind) {
    case "approval":
      return { href: "/approvals", words: "Approvals" };
    case "budget":
      return { href: scopes.includes(ids.scope ?? "") ? `/usage?by=${ids.scope}&days=1` : "/usage?days=1", words: "Usage of today" };
    case "breaker":
      return ofBreaker(ids.limit);
    case "stopped_bot":
      return { href: ids.bot === undefined ? "/bots" : `/bots/${encodeURIComponent(ids.bot)}`, words: "Its setup" };
    case "group":
      return { href: `/groups/${ids.chat ?? ""}`, words: "Its setup" };
    case "spam_report":
    case "spam_refused":
      return { href: `/groups/${ids.chat ?? ""}`, words: "The group" };
    case "mcp_server":
    case "mcp_change":
      return { href: `/tools?server=${encodeURIComponent(ids.mcp_server ?? "")}`, words: "Its tools" };
  }
  if (ids.job_id !== undefined) return { href: `/jobs/${ids.job_id}`, words: `Job ${ids.job_id}` };
  return ids.lane === undefined ? undefined : { href: `/lanes/${encodeURIComponent(ids.lane)}`, words: "Conversation" };
}

/** Pages beside it: the job, its conversation, its flow. */
export function othersOf({ kind, link_to }: Item): Target[] {
  const { job_id, lane, lane_name, flow } = link_to;
  const own = targetOf({ kind, link_to })?.href;
  const all: Target[] = [];
  if (job_id !== undefined) all.push({ href: `/jobs/${job_id}`, words: `Job ${job_id}` });
  if (lane !== undefined) all.push({ href: `/lanes/${encodeURIComponent(lane)}`, words: lane_name ?? lane });
  if (flow !== undefined) all.push({ href: `/executions?flow=${encodeURIComponent(flow)}`, words: `Flow ${flow}` });
  return all.filter(({ href }) => href !== own);
}

// What cannot be undone, or may happen twice, is asked before.
const asked: Record<string, "danger" | "main"> = { answer: "main", approve: "main", reject: "danger", cancel: "danger", drop: "danger", resend: "danger", restart: "danger", accept: "main", ban: "danger" };

/** How the button of an action looks, and whether it asks before it acts. */
export const mannerOf = (name: string): { kind?: "main" | "danger"; asks: boolean } =>
  asked[name] ? { kind: asked[name], asks: true } : { asks: false };

export const labelOf = (name: string): string => titleOfSettlement(name) ?? titleOf(name);
