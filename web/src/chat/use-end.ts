// The end of a chat stays in sight, except for a person who reads further up. Older messages that come above move nothing.
import { useLayoutEffect, useRef } from "react";

import type { Message } from "./queries";

const NEAR = 80; // pixels

export interface Seen {
  first: string | undefined;
  last: string | undefined;
  height: number; // of all messages
}

/** Where the change leads: to the end, or so many pixels down. `follows`: the end was in sight. */
export function leapOf(before: Seen, now: Seen & { isOwn: boolean }, follows: boolean): "end" | number {
  if (follows || (now.isOwn && now.last !== before.last)) return "end";
  return now.first === before.first ? 0 : now.height - before.height;
}

/** `below`: what changes below the messages. Returns what the element that scrolls has. */
export function useEnd(messages: readonly Message[], below: string) {
  const element = useRef<HTMLDivElement>(null);
  const before = useRef<Seen>({ first: undefined, last: undefined, height: 0 });
  const follows = useRef(true);
  const [first, last] = [messages[0]?.id, messages.at(-1)];
  useLayoutEffect(() => {
    const own = element.current;
    if (!own) return;
    const now = { first, last: last?.id, height: own.scrollHeight };
    const leap = leapOf(before.current, { ...now, isOwn: last?.role === "user" }, follows.current);
    if (leap === "end") own.scrollTop = now.height;
    else if (leap !== 0) own.scrollTop += leap;
    before.current = now;
  }, [first, last?.id, messages, below]);
  const onScroll = () => {
    const own = element.current;
    if (own) follows.current = own.scrollHeight - own.scrollTop - own.clientHeight < NEAR;
  };
  return { ref: element, onScroll };
}
