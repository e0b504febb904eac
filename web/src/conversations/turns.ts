// A lane's messages as turns: what a person said, what the agent did about it, and what became of that. Pure.
import type { Schema } from "../api/client";

export type LaneMessage = Schema["LaneMessage"];
export type Job = Schema["Job"];

export interface Turn {
  job: number;
  /** Oldest first. None: the turn has not begun. */
  messages: LaneMessage[];
  row?: Job;
}

/** Newest first. Messages come newest first, jobs too; `complete`: there are no older messages. */
export function turnsOf(messages: readonly LaneMessage[], jobs: readonly Job[], complete: boolean): Turn[] {
  const turns = new Map<number, Turn>();
  for (const message of messages) {
    const turn = turns.get(message.job_id) ?? { job: message.job_id, messages: [] };
    turn.messages.unshift(message);
    turns.set(message.job_id, turn);
  }
  const oldest = complete ? -Infinity : (messages.at(-1)?.job_id ?? Infinity);
  for (const row of jobs) {
    const turn = turns.get(row.job_id);
    if (turn) turn.row = row;
    else if (row.job_id > oldest) turns.set(row.job_id, { job: row.job_id, messages: [], row });
  }
  // What the engine says, as a question, stands behind the agent's words in the order of the history.
  for (const turn of turns.values()) turn.messages.sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
  return [...turns.values()].sort((a, b) => b.job - a.job);
}

/** Who said a message, in words. */
export function speakerOf({ role, origin, author, tool }: Pick<LaneMessage, "role" | "origin" | "author" | "tool">): string {
  if (role === "tool") return tool ?? "tool";
  if (role === "assistant") return origin === "engine" ? "postrider" : origin;
  const { id, chat_id, name } = author ?? {};
  if (name) return name;
  if (id !== undefined) return `user ${id}`;
  return chat_id !== undefined ? `chat ${chat_id}` : origin;
}

/** What a message brought beside its words, such as a photo; of a tool's result nothing. */
export const mediaOf = ({ author }: Pick<LaneMessage, "author">): string | undefined => author?.media?.replaceAll("_", " ");

/** The names of the tools that a message asks for. */
export function calledTools({ calls }: Pick<LaneMessage, "calls">): string[] {
  return (calls ?? []).map((call) => String((call as { name?: unknown } | null)?.name ?? "a tool"));
}
