import { useState } from "react";

import { post } from "../api/client";
import { integerOf } from "../api/json";
import { useRefusal } from "../api/me";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { countText, plural } from "../ui/numbers";
import { Facts } from "../ui/page";
import { useClosed } from "../ui/use-closed";
import { type Erased, eraseAll } from "./erasure";

function Progress({ erased }: { erased: Erased }) {
  const tables = Object.entries(erased.cleared).filter(([, rows]) => rows > 0);
  return (
    <div className="stack" role="status">
      <p>{erased.place === undefined ? "All pages are cleared." : `Page ${erased.pages + 1}: ${erased.place}…`}</p>
      {tables.length > 0 ? <Facts all={tables.map(([table, rows]) => [table.replaceAll("_", " "), countText(rows)] as const)} /> : <p className="soft">{erased.place === undefined ? "Nothing was found." : "Nothing was found so far."}</p>}
      {erased.running > 0 && <p className="bad">{plural(erased.running, "turn")} of this person still ran and were asked to stop. Erase again in a moment.</p>}
      {erased.unknown > 0 && <p className="soft">{plural(erased.unknown, "message")} of named sessions have no known author. If they are this person's, delete these sessions on the page Memory.</p>}
      {erased.quoted > 0 && <p className="soft">{plural(erased.quoted, "stored question")} of other people's turns in groups may quote this person.</p>}
    </div>
  );
}

function EraseDialog({ onClose }: { onClose: () => void }) {
  const [user, setUser] = useState("");
  const [again, setAgain] = useState("");
  const [erased, setErased] = useState<Erased>();
  const closed = useClosed();
  const run = async () => {
    const ask = (cursor: string | undefined) => post("/api/v1/erasures", { user_id: integerOf(user), ...(cursor === undefined ? {} : { cursor }) });
    await eraseAll(ask, setErased, () => closed.current);
    return "stay";
  };
  const over = erased !== undefined && erased.place === undefined;
  const matches = /^[1-9][0-9]*$/.test(user) && user === again;
  return (
    <Dialog title="Erase a person's words" danger {...(matches && (!over || erased.running > 0) ? { act: erased ? "Erase again" : "Erase" } : {})} onAct={run} onClose={onClose}>
      {!erased && (
        <>
          <p className="soft">Clears what the person said, in jobs, messages, sessions and records, for good, and ends their logins to the console. It cannot be undone. If you close this dialog, it stops after the current page, and what was cleared stays so.</p>
          <label className="label">Telegram id of the person<input className="field" inputMode="numeric" pattern="[1-9][0-9]*" required value={user} onChange={(event) => setUser(event.target.value.trim())} /></label>
          <label className="label">The same id again<input className="field" inputMode="numeric" required value={again} onChange={(event) => setAgain(event.target.value.trim())} /></label>
        </>
      )}
      {erased && <Progress erased={erased} />}
    </Dialog>
  );
}

export function Erase() {
  const refusal = useRefusal("POST /api/v1/erasures");
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button kind="danger" refusal={refusal} title="Clears all that a person said to the bots." onClick={() => setAsked(true)}>Erase a person's words</Button>
      {asked && <EraseDialog onClose={() => setAsked(false)} />}
    </>
  );
}
