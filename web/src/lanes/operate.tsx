// Pauses and resumes one lane, a bot's lanes, or everything.
import { useQuery } from "@tanstack/react-query";

import { get, post } from "../api/client";
import { useListPace } from "../api/live";
import { ActButton } from "../ui/act-button";

type Verb = "pause" | "resume";
const changes = ["lanes", "pauses", "jobs", "bots", "overview"];

const operate = {
  lane: (lane: string, verb: Verb) => post(`/api/v1/lanes/{lane}/${verb}` as "/api/v1/lanes/{lane}/pause", {}, { params: { lane } }),
  bot: (bot: string, verb: Verb) => post(`/api/v1/bots/{bot}/${verb}` as "/api/v1/bots/{bot}/pause", {}, { params: { bot } }),
};

const pausesKey = ["pauses"] as const;

/** What is paused now: "all", or "bot:NAME". */
export const usePauses = () => useQuery({ queryKey: pausesKey, queryFn: ({ signal }) => get("/api/v1/pauses", { signal }), refetchInterval: useListPace(pausesKey) }).data?.pauses ?? [];

export const useAllPaused = (): boolean => usePauses().some(({ scope }) => scope === "all");

export function LaneSwitch({ lane, paused }: { lane: string; paused: boolean }) {
  return paused ? (
    <ActButton act={() => operate.lane(lane, "resume")} changes={changes} says="Lets this lane's jobs start again." done="The lane runs again.">Resume</ActButton>
  ) : (
    <ActButton act={() => operate.lane(lane, "pause")} changes={changes} says="Starts no more jobs of this lane. The running one continues." done="The lane is paused.">Pause</ActButton>
  );
}

export function BotSwitch({ bot, paused }: { bot: string; paused: boolean }) {
  return paused ? (
    <ActButton act={() => operate.bot(bot, "resume")} changes={changes} says="Lets the bot's conversations start jobs again." done={`${bot} runs again.`}>Resume</ActButton>
  ) : (
    <ActButton act={() => operate.bot(bot, "pause")} changes={changes} says={`Pause ${bot}?`} done={`${bot} is paused.`} ask={<p className="soft">Messages are kept, and none is answered until you resume.</p>}>Pause</ActButton>
  );
}

export function EverythingSwitch({ paused }: { paused: boolean }) {
  return paused ? (
    <ActButton act={() => post("/api/v1/resume", {})} changes={changes} says="Lets all lanes start jobs again." done="Everything runs again.">Resume everything</ActButton>
  ) : (
    <ActButton act={() => post("/api/v1/pause", {})} changes={changes} danger says="Pause everything?" done="Everything is paused." ask={<p className="soft">No lane of any bot starts a job until you resume. Running jobs continue, and messages are kept.</p>}>
      Pause everything
    </ActButton>
  );
}
