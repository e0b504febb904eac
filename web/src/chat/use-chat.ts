// One conversation, live, over the tab's stream: the stream begins first, then the history is read, so that
// nothing is missed.
import { useCallback, useEffect, useReducer } from "react";

import { type EventStream, stream, type StreamEvent } from "../api/events";
import { Problem, wordsOf } from "../api/problem";
import { type History, readMessages } from "./queries";
import { type Chat, emptyChat, withEvent, withHistory, withOlder, withStream } from "./turn";

type Change = { history: History } | { older: History } | { event: StreamEvent } | { fresh: boolean } | { trouble: string } | "begin";

export function change(chat: Chat, next: Change): Chat {
  if (next === "begin") return emptyChat;
  if ("trouble" in next) return { ...chat, trouble: next.trouble };
  if ("older" in next) return withOlder(chat, next.older);
  if ("fresh" in next) return withStream(chat, next.fresh);
  if ("event" in next) return withEvent(chat, next.event.type, next.event.data, Date.now());
  return withHistory(chat, next.history);
}

/** The history is read without the stream, where it does not begin in this time. */
export const WITHOUT_STREAM_MS = 3_000;
const AGAIN_MS = 5_000;

const namesTopic = (names: unknown, topic: string) => Array.isArray(names) && names.includes(topic);

type Reading = (signal: AbortSignal) => Promise<History>;

/** Follows it until the returned function is called. */
export function follow(topic: string, tell: (next: Change) => void, events: Pick<EventStream, "need" | "listen">, read: Reading): () => void {
  let reading: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const readHistory = async () => {
    clearTimeout(timer);
    reading?.abort();
    const own = new AbortController();
    reading = own;
    try {
      const history = await read(own.signal);
      if (!own.signal.aborted) tell({ history });
    } catch (error) {
      if (own.signal.aborted) return;
      const isFinal = error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 401;
      tell({ trouble: isFinal ? wordsOf(error) : `${wordsOf(error)} It is asked again.` });
      if (!isFinal) timer = setTimeout(() => void readHistory(), AGAIN_MS);
    }
  };
  timer = setTimeout(() => void readHistory(), WITHOUT_STREAM_MS);
  const deaf = events.listen((event) => {
    if ((event.type === "watching" || event.type === "reset") && namesTopic(event.data.topics, topic)) {
      tell({ fresh: event.type === "reset" || (event.fresh?.includes(topic) ?? true) });
      void readHistory();
    } else if (event.data.topic === topic) tell({ event });
  });
  const leave = events.need(topic);
  return () => {
    clearTimeout(timer);
    reading?.abort();
    deaf();
    leave();
  };
}

/** `read` is the same function as long as the topic is the same. */
export function useTurns(topic: string, read: Reading): readonly [Chat, (next: Change) => void] {
  const [chat, tell] = useReducer(change, emptyChat);
  useEffect(() => {
    tell("begin");
    return follow(topic, tell, stream, read);
  }, [topic, read]);
  return [chat, tell];
}

export interface OpenChat extends Chat {
  /** Reads the messages before the first one. */
  readOlder: () => Promise<void>;
}

export function useChat(id: string): OpenChat {
  const read = useCallback((signal: AbortSignal) => readMessages(id, signal), [id]);
  const [chat, tell] = useTurns(`conversation:${id.toLowerCase()}`, read);
  const readOlder = async () => tell({ older: await readMessages(id, undefined, chat.older) });
  return { ...chat, readOlder };
}
