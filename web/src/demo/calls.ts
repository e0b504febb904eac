// Calls of tools among the messages of the simulated Telegram, which does not show them. Pure.
import type { Schema } from "../api/client";

export type Message = Schema["Message"];

/** A call stands before the bot's first message that is not older. */
export function withCalls(messages: readonly Message[], calls: readonly Message[]): Message[] {
  const all: Message[] = [];
  let next = 0;
  for (const message of messages) {
    const at = Date.parse(message.created_at);
    for (let call = calls[next]; message.role === "assistant" && call && Date.parse(call.created_at) <= at; call = calls[++next]) all.push(call);
    all.push(message);
  }
  return [...all, ...calls.slice(next)];
}
