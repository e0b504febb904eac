// Somebody else saved another draft: saving has stopped, and a person decides node by node. Nothing is lost either way.
import { useMemo, useState } from "react";
import { useLocation } from "wouter";

import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { toast } from "../../ui/toast";
import { useDesk, useDocument } from "../desk";
import { nodeOf } from "../document/model";
import { saveAsNew } from "../session";
import { NodeDifference } from "./node-difference";
import { type Difference, differencesOf, mergedBy, type Side, usualSide } from "./merge";
import type { Saving } from "./saver";
import { useSaving } from "./save-state";

type Conflict = Extract<Saving, { kind: "conflict" }>;

const deeds = { added: "added", changed: "changed", removed: "deleted", same: "left as it was" };

function Choice({ difference, side, onPick, conflict }: { difference: Difference; side: Side; onPick: (side: Side) => void; conflict: Conflict }) {
  const document = useDocument();
  const [open, setOpen] = useState(false);
  const id = difference.key.startsWith("node ") ? difference.key.slice("node ".length) : undefined;
  const button = (own: Side, words: string) => <button type="button" className="chip" aria-pressed={side === own} onClick={() => onPick(own)}>{words}</button>;
  return (
    <li className="conflict-line">
      <div className="row">
        <strong className="clip">{difference.title}</strong>
        {difference.disputed && <span className="tag tone-bad">both changed it</span>}
        <div className="chips spread" role="group" aria-label={`Which ${difference.title}`}>
          {button("mine", "Mine")}
          {button("theirs", "Theirs")}
        </div>
      </div>
      <p className="faint">I {deeds[difference.mine]}, they {deeds[difference.theirs]}. {id !== undefined && <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>{open ? "Hide" : "Compare"}</button>}</p>
      {open && id !== undefined && <NodeDifference mine={nodeOf(document, id)} theirs={nodeOf(conflict.theirs.document, id)} />}
    </li>
  );
}

function Sides({ conflict, onClose }: { conflict: Conflict; onClose: () => void }) {
  const { session } = useDesk();
  const document = useDocument();
  const differences = useMemo(() => differencesOf(conflict.base, document, conflict.theirs.document), [conflict, document]);
  const [picks, setPicks] = useState<ReadonlyMap<string, Side>>(new Map());
  const sideOf = (difference: Difference) => picks.get(difference.key) ?? usualSide(difference);
  const merge = () => {
    const merged = mergedBy(conflict.base, document, conflict.theirs.document, sideOf);
    session.saver.settle(conflict.theirs);
    session.store.act(() => merged);
    toast("The drafts are merged. Undo brings yours back.");
  };
  return (
    <Dialog title={`${session.name} has another draft`} act="Merge and save" onAct={merge} onClose={onClose}>
      <p className="soft">Somebody else, or another tab, saved it meanwhile. Pick a side for each difference. Who changed something keeps it; of what both changed, yours is picked. Connections of both sides are joined.</p>
      {differences.length === 0 && <p>Only the order differs.</p>}
      <ul className="conflict-list">
        {differences.map((each) => <Choice key={each.key} difference={each} side={sideOf(each)} conflict={conflict} onPick={(side) => setPicks(new Map(picks).set(each.key, side))} />)}
      </ul>
    </Dialog>
  );
}

function NewFlow({ onClose }: { onClose: () => void }) {
  const { session } = useDesk();
  const document = useDocument();
  const [, navigate] = useLocation();
  const [name, setName] = useState(`${session.name.slice(0, 58)}-mine`);
  const save = async () => {
    const made = await saveAsNew(document, name.trim());
    session.abandon();
    toast(`${made} is a flow of its own.`);
    navigate(`/flows/${encodeURIComponent(made)}/edit`);
  };
  return (
    <Dialog title="Save mine as a new flow" act="Save" onAct={save} onClose={onClose}>
      <p className="soft">Your document becomes the draft of a flow of its own. The draft of {session.name} stays as they saved it.</p>
      <Field label="Name" hint="a-z, 0-9, _ and -">{(props) => <input className="field" required pattern="[a-z0-9][a-z0-9_\-]{0,62}" {...props} value={name} onChange={(event) => setName(event.target.value)} />}</Field>
    </Dialog>
  );
}

/** A bar above the canvas for as long as there are two drafts. */
export function ConflictBar() {
  const { session } = useDesk();
  const state = useSaving(session.saver);
  const [asked, setAsked] = useState<"" | "sides" | "new">("");
  if (state.kind !== "conflict") return null;
  const close = () => setAsked("");
  return (
    <div className="editor-bar tone-bad" role="alert">
      <span><strong>Another draft was saved meanwhile.</strong> Your changes are kept here and not saved.</span>
      <div className="row spread">
        <Button onClick={() => setAsked("new")}>Save mine as a new flow</Button>
        <Button kind="main" onClick={() => setAsked("sides")}>Compare and merge</Button>
      </div>
      {asked === "sides" && <Sides conflict={state} onClose={close} />}
      {asked === "new" && <NewFlow onClose={close} />}
    </div>
  );
}
