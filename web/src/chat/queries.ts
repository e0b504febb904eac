import { useQuery } from "@tanstack/react-query";

import { get, post, type Schema } from "../api/client";
import { onceBy } from "../api/intention";
import { useKeyset } from "../ui/keyset-list";

export type Message = Schema["Message"];
export type Conversation = Schema["Conversation"];

export const useConversations = () => useKeyset("/api/v1/conversations", "conversations", ["conversations"], { query: { limit: 50 } });

export interface History {
  /** Oldest first. */
  messages: readonly Message[];
  /** What reads the messages before them; absent: there are none. */
  older?: string;
}

/** The newest messages, or those before: a chat is shown from its end. */
export async function readMessages(id: string, signal?: AbortSignal, older?: string): Promise<History> {
  const options = { params: { id }, query: { order: "desc", limit: 100, cursor: older }, ...(signal ? { signal } : {}) };
  const { messages, next } = await get("/api/v1/conversations/{id}/messages", options);
  return { messages: messages.reverse(), ...(next === undefined ? {} : { older: next }) };
}

/** Whom one can talk to; the usual ones until that is known. */
export function useAgents(): readonly string[] {
  const partners = useQuery({
    queryKey: ["chat-partners"],
    queryFn: ({ signal }) => get("/api/v1/chat-partners", { signal }),
    retry: false,
  });
  const names = partners.data?.chat_partners.map(({ name }) => name);
  return names?.length ? names : ["assistant", "todo"];
}

export async function begin(agent: string): Promise<string> {
  const answer = await post("/api/v1/conversations", { agent });
  return answer.conversation_id;
}

export const say = (id: string, text: string, key: string) =>
  post("/api/v1/conversations/{id}/messages", { text }, { params: { id }, ...onceBy(key) });

export const press = (id: string, message: string, data: string) =>
  post("/api/v1/conversations/{id}/presses", { message, data }, { params: { id } });
