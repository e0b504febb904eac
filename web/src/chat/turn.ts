// What a chat shows, from the events of a conversation (docs/api.md, "Watch a conversation"). Pure.
import type { History, Message } from "./queries";

export interface Doing {
  text: string;
  at: number;
}

export interface Chat {
  /** Undefined until the history was read once. */
  isRead?: true;
  messages: readonly Message[];
  /** What reads the messages before them; absent: there are none, or nothing was read yet. */
  older?: string;
  /** The turn that runs or waits. */
  turn?: { job: number; state: string };
  /** The last turn, once it is over. */
  ended?: { job: number; state: string };
  /** What the agent did in this turn, oldest first. */
  steps: readonly Doing[];
  /** The answer as far as it has come. */
  words: string;
  failure?: string;
  /** Why the history was not read. */
  trouble?: string;
  /** Messages that the stream told of since it began. They are newer than what a reading of the history says. */
  told: ReadonlySet<string>;
}

export const emptyChat: Chat = { messages: [], steps: [], words: "", told: new Set() };

/** A stream begins. What was missed of the words before does not come again; of a new stream's turn it tells itself. */
export function withStream(chat: Chat, fresh: boolean): Chat {
  if (!fresh) return { ...chat, words: "", told: new Set() };
  const { turn: _before, ended: _last, failure: _old, ...rest } = chat;
  return { ...rest, steps: [], words: "", told: new Set() };
}

/** The newest history replaces all but what the stream has told of, and what was read before it. */
export function withHistory(chat: Chat, { messages: history, older }: History): Chat {
  const own = new Map(chat.messages.filter(({ id }) => chat.told.has(id)).map((message) => [message.id, message]));
  const known = new Set(history.map(({ id }) => id));
  const read = history.flatMap((message) => (chat.told.has(message.id) ? (own.get(message.id) ?? []) : message));
  const begin = older === undefined ? 0 : Math.max(0, chat.messages.findIndex(({ id }) => id === history[0]?.id));
  const before = chat.messages.slice(0, begin).filter(({ id }) => !known.has(id));
  const isThere = new Set([...known, ...before.map(({ id }) => id)]);
  const first = older === undefined ? undefined : history[0];
  const later = [...own.values()].filter((message) => !isThere.has(message.id) && !isBefore(message, first));
  const { older: formerly, trouble: _over, ...rest } = chat;
  const place = before.length > 0 ? formerly : older;
  return { ...rest, isRead: true, ...(place === undefined ? {} : { older: place }), messages: [...before, ...read, ...later] };
}

/** Messages from before the first one. */
export function withOlder(chat: Chat, { messages, older }: History): Chat {
  const known = new Set(chat.messages.map(({ id }) => id));
  const { older: _former, ...rest } = chat;
  const all = [...messages.filter(({ id }) => !known.has(id)), ...chat.messages];
  return { ...rest, ...(older === undefined ? {} : { older }), messages: all };
}

/** A message that changed, and stands before the first one that was read. */
const isBefore = (message: Message, first: Message | undefined) => first !== undefined && message.created_at < first.created_at;

interface Data {
  job_id?: number;
  state?: string;
  paused?: string;
  doing?: string;
  tool?: string;
  text?: string;
  id?: string;
  detail?: string;
}

const isUnread = ({ messages, older }: Chat, message: Message) => older !== undefined && !messages.some(({ id }) => id === message.id) && isBefore(message, messages[0]);

function withMessage(messages: readonly Message[], message: Message): readonly Message[] {
  const at = messages.findIndex(({ id }) => id === message.id);
  if (at < 0) return [...messages, message];
  return messages.map((old, index) => (index === at ? message : old));
}

const stepText = ({ doing, tool }: Data) => (tool ? `calls ${tool}` : doing === "thinking" ? "asks the model" : `calls ${doing}`);

export function withEvent(chat: Chat, type: string, data: unknown, now: number): Chat {
  const told = data as Data;
  switch (type) {
    case "message": {
      const message = data as Message;
      if (isUnread(chat, message)) return chat;
      const said = message.role === "assistant" && message.origin !== "engine";
      return { ...chat, messages: withMessage(chat.messages, message), told: new Set(chat.told).add(message.id), words: said ? "" : chat.words };
    }
    case "message_removed":
      return { ...chat, messages: chat.messages.filter(({ id }) => id !== told.id), told: new Set(chat.told).add(told.id ?? "") };
    case "turn": {
      const turn = { job: told.job_id ?? 0, state: told.paused ? "paused" : told.state ?? "" };
      const same = chat.turn?.job === turn.job;
      const { failure: _over, ended: _last, ...rest } = chat;
      return { ...rest, turn, steps: same ? chat.steps : [], words: same ? chat.words : "" };
    }
    case "step":
      return { ...chat, words: "", steps: [...chat.steps, { text: stepText(told), at: now }] };
    case "words":
      return { ...chat, words: chat.words + (told.text ?? "") };
    case "done":
    case "cancelled":
    case "failed": {
      const { turn, ...rest } = chat;
      const job = told.job_id ?? turn?.job;
      const end = { ...rest, words: "", ...(job === undefined ? {} : { ended: { job, state: type === "done" ? "completed" : type } }) };
      return type === "done" ? end : { ...end, failure: told.detail ?? type };
    }
    case "gone": {
      const { turn: _ended, ...rest } = chat;
      return { ...rest, words: "", failure: "This conversation does not exist, or no longer." };
    }
    default:
      return chat;
  }
}
