import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { post, remove, type Schema } from "../api/client";
import { integerOf } from "../api/json";
import { useIsOperator, useMe, useRefusal } from "../api/me";
import { ActButton } from "../ui/act-button";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { useKeyset } from "../ui/keyset-list";
import { List } from "../ui/list";
import { Page, Panel } from "../ui/page";
import { State } from "../ui/state";
import type { Column } from "../ui/table";
import { Time } from "../ui/time";
import { NewLink } from "./new-link";

type Token = Schema["Token"];
type Session = Schema["ConsoleSession"];

const DAY_S = 86_400;

const tokenColumns: Column<Token>[] = [
  { name: "Name", kind: "wide", show: ({ name, id }) => <span className="clip">{name || `token ${id}`}</span> },
  { name: "Role", show: ({ role }) => role },
  { name: "User", kind: "number", named: true, show: ({ user_id }) => String(user_id) },
  { name: "State", show: ({ active, revoked_at }) => <State name={active ? "active" : "idle"} words={active ? "active" : revoked_at ? "revoked" : "expired"} /> },
  { name: "Last used", named: true, show: ({ last_used_at }) => <Time at={last_used_at} age /> },
  { name: "Expires", named: true, show: ({ expires_at }) => <Time at={expires_at} age /> },
  {
    name: "",
    show: ({ id, name, active }) =>
      active && (
        <ActButton danger act={() => remove("/api/v1/tokens/{id}", { params: { id } })} changes={["tokens"]} says={`Revoke ${name || `token ${id}`}?`} done="The token is revoked." ask={<p className="soft">Programs that use it are refused from now on. This cannot be undone.</p>}>
          Revoke
        </ActButton>
      ),
  },
];

const sessionColumns: Column<Session>[] = [
  { name: "Session", kind: "wide", show: ({ session_id, current }) => <span className="clip"><span className="mono">{session_id}</span> {current && <span className="tag tone-good">this one</span>}</span> },
  { name: "Role", show: ({ role }) => role },
  { name: "User", kind: "number", named: true, show: ({ user_id }) => (user_id === null ? "" : String(user_id)) },
  { name: "Signed in", named: true, show: ({ created_at }) => <Time at={created_at} age /> },
  { name: "Last seen", named: true, show: ({ last_seen_at }) => <Time at={last_seen_at} age /> },
  { name: "Expires", named: true, show: ({ expires_at }) => <Time at={expires_at} age /> },
  {
    name: "",
    show: ({ session_id, current }) =>
      !current && (
        <ActButton change="DELETE /api/v1/console/sessions/{id}" danger act={() => remove("/api/v1/console/sessions/{id}", { params: { id: session_id } })} changes={["sessions"]} says="Ends this session at once." done="The session has ended.">
          End
        </ActButton>
      ),
  },
];

function NewToken({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient();
  const { data: me } = useMe();
  const [user, setUser] = useState(String(me?.user_id ?? ""));
  const [role, setRole] = useState("user");
  const [name, setName] = useState("");
  const [days, setDays] = useState("");
  const make = useMutation({
    mutationFn: () => post("/api/v1/tokens", { user_id: integerOf(user), role, name: name.trim(), ...(days ? { expires_in: Number(days) * DAY_S } : {}) }),
    onSuccess: () => void cache.invalidateQueries({ queryKey: ["tokens"] }),
  });
  if (make.data)
    return (
      <Dialog title="Your token" onClose={onClose}>
        <p className="soft">It is shown this once. Copy it now.</p>
        <pre className="command">{make.data.token}</pre>
      </Dialog>
    );
  return (
    <Dialog title="New token" act="Make it" onAct={() => make.mutateAsync().then(() => "stay")} onClose={onClose}>
      <label className="label">User<input className="field" inputMode="numeric" pattern="[0-9]+" required value={user} onChange={(event) => setUser(event.target.value)} /></label>
      <label className="label">
        Role
        <select className="pick" value={role} onChange={(event) => setRole(event.target.value)}>
          <option value="user">user: own conversations and tasks</option>
          <option value="reader">reader: sees all but the audit, changes nothing</option>
          <option value="editor">editor: what a reader sees, and drafts of flows and test runs</option>
          <option value="owner">owner: everything</option>
        </select>
      </label>
      <label className="label">
        Expires
        <select className="pick" value={days} onChange={(event) => setDays(event.target.value)}>
          <option value="">never</option>
          <option value="30">in 30 days</option>
          <option value="90">in 90 days</option>
          <option value="365">in a year</option>
        </select>
      </label>
      <label className="label">Name<input className="field" required pattern=".*\S.*" title="Say the purpose of the token" value={name} onChange={(event) => setName(event.target.value)} /></label>
    </Dialog>
  );
}

function Sessions() {
  const list = useKeyset("/api/v1/console/sessions", "sessions", ["sessions"]);
  return (
    <Panel flush title="Sessions of the console">
      <List label="Sessions" list={list} columns={sessionColumns} keyOf={({ session_id }) => session_id} empty="Nobody is signed in." />
    </Panel>
  );
}

export function TokensPage() {
  const [making, setMaking] = useState<"token" | "link">();
  const close = () => setMaking(undefined);
  const sees = useIsOperator();
  const refusal = useRefusal();
  return (
    <Page title="Tokens and sessions" about="Programs reach this server by tokens, people by sessions." actions={sees && <><Button refusal={refusal} onClick={() => setMaking("link")}>New login link</Button><Button kind="main" refusal={refusal} onClick={() => setMaking("token")}>New token</Button></>}>
      <Sessions />
      {sees && <Tokens />}
      {making === "token" && <NewToken onClose={close} />}
      {making === "link" && <NewLink onClose={close} />}
    </Page>
  );
}

function Tokens() {
  const list = useKeyset("/api/v1/tokens", "tokens", ["tokens"]);
  return (
    <Panel flush title="Tokens of the API">
      <List label="Tokens" list={list} columns={tokenColumns} keyOf={({ id }) => id} empty="There is no token." hint="A token lets a program use the API." />
    </Panel>
  );
}
