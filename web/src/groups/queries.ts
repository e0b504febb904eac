import { useQuery } from "@tanstack/react-query";

import { get, post, type Schema } from "../api/client";
import { onceBy } from "../api/intention";
import { usePace } from "../api/live";

export type Group = Schema["Group"];
export type Member = Schema["SpamMember"];
export type Sample = Schema["SpamSample"];
export type Verdict = Schema["SpamVerdict"];
export type CheckResult = Schema["SpamCheckResult"];

export const groupsKey = ["groups"] as const;

/** No stream tells of groups: they are read again from time to time. The server asks Telegram once a minute at most. */
export function useGroups() {
  const refetchInterval = usePace(30_000, false);
  return useQuery({ queryKey: groupsKey, queryFn: ({ signal }) => get("/api/v1/groups", { signal }), refetchInterval });
}

/** The title of a group, or its number where nobody knows one. */
export function useGroupName(): (chat: number | bigint) => string {
  const { data } = useGroups();
  return (chat) => data?.groups.find((group) => String(group.chat) === String(chat))?.title ?? `Group ${chat}`;
}

/** What an unban of the member would teach the filter. */
export function useUnbanEffect({ chat, user }: Pick<Member, "chat" | "user">) {
  const params = { chat: String(chat), user: String(user) };
  return useQuery({ queryKey: ["unban-effect", params.chat, params.user], queryFn: ({ signal }) => get("/api/v1/spam/members/{chat}/{user}/unban", { signal, params }) });
}

type MemberAct = "approve" | "disapprove" | "ban" | "unban";

/** One press is one request, however often it is sent. */
export const actOnMember = (act: MemberAct, { chat, user }: Pick<Member, "chat" | "user">, key: string) =>
  post(`/api/v1/spam/members/{chat}/{user}/${act}` as "/api/v1/spam/members/{chat}/{user}/ban", {}, { params: { chat: String(chat), user: String(user) }, ...onceBy(key) });

export const undoVerdict = ({ chat, message }: Pick<Verdict, "chat" | "message">) =>
  post("/api/v1/spam/verdicts/{chat}/{message}/undo", {}, { params: { chat: String(chat), message: String(message) } });
