// Shows the login instead of the console, or over it once a session ended. The page beneath keeps its state.
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useState } from "react";

import { loginRequired } from "../api/client";
import { stream } from "../api/events";
import { meKey, useMe } from "../api/me";
import { Problem } from "../api/problem";
import { Failure, Waiting } from "../ui/feedback";
import { arrivedToken, clearLink, Login } from "./login";

export function SessionGate({ children }: { children: ReactNode }) {
  const cache = useQueryClient();
  const me = useMe();
  const [asked, setAsked] = useState<"" | "link" | "ended">(() => (arrivedToken() ? "link" : ""));
  const [entered, setEntered] = useState(false); // the console was shown once
  useEffect(() => {
    const ask = () => setAsked("ended");
    const linked = () => arrivedToken() && setAsked((old) => old || "link");
    loginRequired.addEventListener("login", ask);
    addEventListener("hashchange", linked);
    return () => {
      loginRequired.removeEventListener("login", ask);
      removeEventListener("hashchange", linked);
    };
  }, []);
  useEffect(() => {
    if (me.data && !asked) setEntered(true);
  }, [me.data, asked]);
  const done = useCallback(async () => {
    await cache.refetchQueries({ queryKey: meKey });
    setAsked("");
    void cache.invalidateQueries();
    stream.restartSoon();
  }, [cache]);

  const stay = () => {
    clearLink();
    setAsked("");
  };
  const refused = me.error instanceof Problem && me.error.status === 401;
  const replaced = asked === "link" && !refused && me.data ? { present: me.data, onStay: stay } : {};
  if (!entered) {
    if (asked && me.isLoading) return <Waiting />;
    if (asked || refused) return <Login over={false} {...replaced} onDone={() => void done()} />;
    if (me.error) return <main className="login-page"><Failure error={me.error} again={() => void me.refetch()} /></main>;
    if (!me.data) return <Waiting />;
  }
  return (
    <>
      {children}
      {asked && <Login key={asked} over {...replaced} onDone={() => void done()} />}
    </>
  );
}
