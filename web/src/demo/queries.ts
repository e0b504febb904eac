import { useQuery } from "@tanstack/react-query";

import { get, post, type Schema } from "../api/client";
import { onceBy } from "../api/intention";
import { usePace, useTopic } from "../api/live";
import { Problem } from "../api/problem";
import type { History } from "../chat/queries";
import type { Message } from "./calls";

export const demoKey = ["demo"] as const;

export function useDemoChat() {
  useTopic("demo");
  return useQuery({ queryKey: demoKey, queryFn: ({ signal }) => get("/api/v1/demo/chat", { signal }), refetchInterval: usePace() });
}

const messageOf = ({ id, role, content, created_at, origin, tool, arguments: given }: Schema["LaneMessage"]): Message => ({
  id, role, content, created_at, origin: origin as Message["origin"], ...(tool ? { tool } : {}), arguments: given,
});

/** The newest calls of tools, oldest first. */
export async function readCalls(signal: AbortSignal): Promise<History> {
  const { lane } = await get("/api/v1/demo/chat", { signal });
  const { messages } = await get("/api/v1/lanes/{lane}/messages", { params: { lane }, query: { limit: 200 }, signal });
  return { messages: messages.filter(({ role }) => role === "tool").map(messageOf).reverse() };
}

/** As Telegram bounds it. */
export const MOST_CHARACTERS = 4_096;

export const say = (text: string, key: string, picture?: string) => post("/api/v1/demo/messages", picture ? { text, picture } : { text }, onceBy(key));

export const press = (message: string, data: string) => post("/api/v1/demo/presses", { message, data });

export const hangNextCall = () => post("/api/v1/demo/model-timeout", {});

/** The process is gone before it answers. */
export async function kill(): Promise<void> {
  try {
    await post("/api/v1/demo/kill", {});
  } catch (error) {
    if (!(error instanceof Problem && error.status === 0)) throw error;
  }
}
