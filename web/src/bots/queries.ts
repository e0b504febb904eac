import { useQuery } from "@tanstack/react-query";

import { get, post, put, remove, type Schema } from "../api/client";
import { useKeyset } from "../ui/keyset-list";

export type Bot = Schema["Bot"];
export type BotCheck = Schema["BotCheck"];
export type Stranger = Schema["Stranger"];

export const useBots = () => useKeyset("/api/v1/bots", "bots", ["bots"]);

/** `everything` is paused: no bot works then. */
export const stateOf = (bot: Bot, everything: boolean): string => (bot.stopped_at ? "stopped" : bot.paused_at || everything ? "paused" : bot.configured ? "active" : "idle");

/** People whom the bot refused, last seen first. `watch`: somebody is about to write to it. */
export const useStrangers = (bot: string, watch: boolean) =>
  useQuery({
    queryKey: ["strangers", "of", bot],
    queryFn: ({ signal }) => get("/api/v1/strangers", { query: { bot, limit: 20 }, signal }),
    refetchInterval: watch ? 2_000 : 10_000,
  });

export const useSettings = () => useQuery({ queryKey: ["settings", "all"], queryFn: ({ signal }) => get("/api/v1/settings", { signal }) });

export const checkBot = (bot: string) => post("/api/v1/bots/{bot}/check", {}, { params: { bot } });
export const setWebhook = (bot: string) => put("/api/v1/bots/{bot}/webhook", {}, { params: { bot } });
export const deleteWebhook = (bot: string) => remove("/api/v1/bots/{bot}/webhook", { params: { bot } });
