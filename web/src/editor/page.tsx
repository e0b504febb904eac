// The editor of a flow's draft. It is loaded with its own script; what is open stays open below a login.
import { useQuery } from "@tanstack/react-query";
import { ReactFlowProvider } from "@xyflow/react";
import { useEffect, useMemo, useState } from "react";
import { Link } from "wouter";

import { useMe } from "../api/me";
import { nodeTypesQuery } from "../api/node-types";
import { isAbsent } from "../api/problem";
import type { NodeTypes } from "../canvas/ports";
import { Empty, Failure, Loaded, Waiting } from "../ui/feedback";
import { Page } from "../ui/page";
import { placed } from "./document/places";
import "./editor.css";
import { readDraft, Session } from "./session";
import { Workspace } from "./workspace";

/** Read once: what the server says later replaces nothing that is open. */
const once = { staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false } as const;

/** Saves and keeps while the page is open, and once more when it ends. */
function useSession(session: Session): void {
  const { dataUpdatedAt: signedIn } = useMe();
  useEffect(() => session.start(), [session]);
  useEffect(() => session.saver.resume(), [session, signedIn]);
  useEffect(() => {
    const hide = () => void session.keep();
    const leave = (event: BeforeUnloadEvent) => session.saver.dirty && event.preventDefault();
    const online = () => void session.saver.flush();
    document.addEventListener("visibilitychange", hide);
    addEventListener("pagehide", hide);
    addEventListener("beforeunload", leave);
    addEventListener("online", online);
    return () => {
      document.removeEventListener("visibilitychange", hide);
      removeEventListener("pagehide", hide);
      removeEventListener("beforeunload", leave);
      removeEventListener("online", online);
    };
  }, [session]);
}

function Open({ session, types }: { session: Session; types: NodeTypes }) {
  useSession(session);
  return (
    <ReactFlowProvider>
      <Workspace session={session} types={types} />
    </ReactFlowProvider>
  );
}

/** Of the draft as it was read first. Nodes without a place are laid out, which is no change of the draft by itself. */
async function opened(name: string, signal: AbortSignal): Promise<Session> {
  const draft = await readDraft(name, signal);
  return new Session(name, draft, await placed(draft.document));
}

function Editor({ name }: { name: string }) {
  const [opening] = useState(() => Math.random()); // each opening reads the draft anew
  const session = useQuery({ queryKey: ["editor", name, opening], queryFn: ({ signal }) => opened(name, signal), gcTime: 0, ...once });
  const node = useQuery(nodeTypesQuery);
  const [first, setFirst] = useState<Session>();
  useEffect(() => setFirst((before) => before ?? session.data), [session.data]);
  const types = useMemo(() => node.data && new Map(node.data.node_types.map((type) => [type.name ?? "", type])), [node.data]);
  const open = first ?? session.data;
  if (open && types) return <Open session={open} types={types} />;
  if (isAbsent(session.error)) return <Page title={name}><Empty title="There is no such flow."><Link href="/flows">All flows</Link></Empty></Page>;
  return <Page title={name}>{session.error ? <Failure error={session.error} again={() => void session.refetch()} /> : <Loaded query={node}>{() => <Waiting />}</Loaded>}</Page>;
}

export function EditFlowPage({ params }: { params: Record<string, string> }) {
  const name = params.name ?? "";
  return <Editor key={name} name={name} />;
}
