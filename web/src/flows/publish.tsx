import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { toast } from "../ui/toast";
import { type Asked, useChanged } from "./asked";
import { operateFlow } from "./operate";

/** The draft becomes the next version. What keeps it from that is listed. */
export function Publish({ flow, onClose }: Asked) {
  const changed = useChanged();
  const [note, setNote] = useState("");
  const publish = useMutation({
    mutationFn: () => operateFlow(flow, "publish", note.trim() ? { note: note.trim() } : {}),
    onSuccess: (published) => toast(`${flow.name} v${(published as { published_version: number }).published_version} is published.`),
    onSettled: changed,
  });
  return (
    <Dialog title={`Publish the draft of ${flow.name}?`} act="Publish" onAct={() => publish.mutateAsync()} onClose={onClose}>
      <p className="soft">It becomes the next version. New executions run it. Running ones stay with the version that they began with.</p>
      <Field label="Note" hint="For people: what is new.">{(props) => <input className="field" maxLength={1000} {...props} value={note} onChange={(event) => setNote(event.target.value)} />}</Field>
    </Dialog>
  );
}
