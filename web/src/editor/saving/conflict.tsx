// Somebody else saved another draft: saving has stopped, and a person decides node by node. Nothing is lost either way.
import { useState } from "react";
import { useLocation } from "wouter";

import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { toast } from "../../ui/toast";
import { useDesk, useDocument } from "../desk";
import type { FlowDocument } from "../document/model";
import { saveAsNew } from "../session";
import { MergeDialog } from "./merge-dialog";
import type { Saving } from "./saver";
import { useSaving } from "./save-state";

type Conflict = Extract<Saving, { kind: "conflict" }>;

function Sides({ conflict, onClose }: { conflict: Conflict; onClose: () => void }) {
  const { session } = useDesk();
  const merge = (merged: FlowDocument) => {
    session.saver.settle(conflict.theirs);
    session.store.act(() => merged);
    toast("The drafts are merged. Undo brings yours back.");
  };
  return <MergeDialog title={`${session.name} has another draft`} words="Somebody else, or another tab, saved it meanwhile." base={conflict.base} mine={useDocument()} theirs={conflict.theirs.document} onMerge={merge} onClose={onClose} />;
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
