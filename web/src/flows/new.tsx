// A flow of one's own: a draft, empty or from a template, which the editor then opens.
import { useState } from "react";
import { useLocation } from "wouter";

import { post } from "../api/client";
import { useRefusal } from "../api/me";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { useChanged } from "./asked";
import { Gallery } from "./gallery";

function NewFlowDialog({ onClose }: { onClose: () => void }) {
  const changed = useChanged();
  const [, navigate] = useLocation();
  const [name, setName] = useState("");
  const [template, setTemplate] = useState<string>();
  const choose = (next: string | undefined) => {
    if (name === (template ?? "")) setName(next ?? ""); // nobody has typed one
    setTemplate(next);
  };
  const make = async () => {
    if (template === undefined) await post("/api/v1/flows", { format: 1, name, nodes: [], connections: [] });
    else await post("/api/v1/flows", { name }, { query: { template } });
    changed();
    navigate(`/flows/${encodeURIComponent(name)}/edit`);
  };
  return (
    <Dialog wide title="New flow" act="Make it" onAct={make} onClose={onClose}>
      <Field label="Name" hint="Up to 63 of a-z, 0-9, _ and -. It cannot be changed later.">{(props) => <input className="field" required autoFocus pattern="[a-z0-9][a-z0-9_\-]{0,62}" {...props} value={name} onChange={({ target }) => setName(target.value)} />}</Field>
      <Gallery chosen={template} onChoose={choose} />
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
