// The kinds of GET /attention in words: the heading of a group, its colour and its icon's place.
import { titleOf } from "../api/words";

export interface KindWords {
  title: string;
  tone: "bad" | "warn" | "calm" | "busy";
}

const words: Record<string, KindWords> = {
  approval: { title: "Approvals", tone: "calm" },
  question: { title: "Open questions", tone: "calm" },
  undelivered: { title: "Undelivered replies", tone: "bad" },
  effect_in_doubt: { title: "Effects in doubt", tone: "bad" },
  dead_letter: { title: "Failed jobs", tone: "bad" },
  budget: { title: "Spent budgets", tone: "warn" },
  breaker: { title: "Open circuit breakers", tone: "warn" },
  stopped_bot: { title: "Stopped bots", tone: "bad" },
  group: { title: "Groups", tone: "warn" },
  spam_report: { title: "Reported messages", tone: "warn" },
  spam_refused: { title: "Spam that Telegram left", tone: "warn" },
  mcp_change: { title: "Changed MCP tools", tone: "warn" },
  mcp_server: { title: "MCP servers that do not answer", tone: "warn" },
};

export function kindWords(kind: string): KindWords {
  return words[kind] ?? { title: titleOf(kind), tone: "warn" };
}
