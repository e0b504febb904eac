// The signed-in person, as GET /api/v1/me says it.
import { queryOptions, useQuery } from "@tanstack/react-query";

import { get, type Schema, send } from "./client";
import { type Change, refusalOf } from "./roles";

export type { Role } from "./roles";
export type Me = Schema["Me"];

export const meKey = ["me"] as const;

export const meQuery = queryOptions({
  queryKey: meKey,
  queryFn: ({ signal }) => get("/api/v1/me", { signal }),
  staleTime: 60_000,
});

export const useMe = () => useQuery(meQuery);

/** Whether somebody is signed in. Every session of the console sees what the server does. */
export function useIsOperator(): boolean {
  const { data } = useMe();
  return data !== undefined;
}

/** Why this person cannot make a change; undefined where they can. Shown as the title of a disabled button. */
export function useRefusal(change?: Change): string | undefined {
  const { data } = useMe();
  return data && refusalOf(data.role, change);
}

export async function logIn(token: string): Promise<void> {
  await send("POST", "/api/v1/login", { token });
}

export async function logOut(): Promise<void> {
  await send("DELETE", "/api/v1/session");
}
