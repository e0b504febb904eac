// A flow of one's own: an empty draft, which the editor then opens.
import { useState } from "react";
import { useLocation } from "wouter";

import { post } from "../api/client";
import { useRefusal } from "../api/me";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { useChanged } from "./asked";

function NewFlowDialog({ onClose }: { onClose: () => void }) {
  const changed = useChanged();
  const [, navigate] = useLocation();
  const [name, setName] = useState("");
  const make = async () => {
    await post("/api/v1/flows", { format: 1, name, nodes: [], connections: [] });
    changed();
    navigate(`/flows/${encodeURIComponent(name)}/edit`);
  };
  return (
    <Dialog title="New flow" act="Make it" onAct={make} onClose={onClose}>
      <Field label="Name" hint="Up to 63 of a-z, 0-9, _ and -. It cannot be changed later.">{(props) => <input className="field" required autoFocus pattern="[a-z0-9][a-z0-9_\-]{0,62}" {...props} value={name} onChange={({ target }) => setName(target.value)} />}</Field>
    </Dialog>
  );
}

export function NewFlow() {
  const refusal = useRefusal("POST /api/v1/flows");
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button kind="main" refusal={refusal} onClick={() => setAsked(true)}>New flow</Button>
      {asked && <NewFlowDialog onClose={() => setAsked(false)} />}
    </>
  );
}
