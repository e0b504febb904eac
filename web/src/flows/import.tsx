// A flow from a file: its document becomes a draft, and with a check mark the next version.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";

import { post } from "../api/client";
import { typedJson } from "../api/json";
import { useRefusal } from "../api/me";
import { problemText } from "../api/problem";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { toast } from "../ui/toast";
import { useChanged } from "./asked";
import { problemsOfDraft } from "./operate";

async function documentIn(file: File | undefined): Promise<unknown> {
  if (!file) throw new Error("Choose a file.");
  const document = typedJson(await file.text(), file.name);
  if (document === undefined) throw new Error(`${file.name} is empty.`);
  return document;
}

function ImportDialog({ onClose }: { onClose: () => void }) {
  const changed = useChanged();
  const [, navigate] = useLocation();
  const [file, setFile] = useState<File>();
  const [publish, setPublish] = useState(false);
  const [overwrite, setOverwrite] = useState(false);
  const load = useMutation({
    mutationFn: async () => {
      const { name } = await post("/api/v1/flows/import", await documentIn(file), { query: { ...(publish ? { publish } : {}), ...(overwrite ? { overwrite } : {}) } });
      const found = publish ? [] : await problemsOfDraft(name, AbortSignal.timeout(10_000)).catch(() => []);
      return { name, found };
    },
    onSuccess: ({ name, found }) => {
      if (found.length > 0) toast(`${name} has a new draft with problems. ${found.map(problemText).join(" ")}`, true);
      else toast(publish ? `${name} is published.` : `${name} has a new draft.`);
      navigate(`/flows/${encodeURIComponent(name)}${publish ? "" : "?version=draft"}`);
    },
    onSettled: changed,
  });
  return (
    <Dialog title="Import a flow" act="Import" onAct={() => load.mutateAsync()} onClose={onClose}>
      <p className="soft">The file is a document such as an export saves. It makes the flow that it names, or replaces its draft.</p>
      <Field label="File">{(props) => <input type="file" accept=".json,application/json" className="field" required {...props} onChange={(event) => setFile(event.target.files?.[0])} />}</Field>
      <label className="row"><input type="checkbox" className="check" checked={publish} onChange={(event) => setPublish(event.target.checked)} />Publish it</label>
      <label className="row"><input type="checkbox" className="check" checked={overwrite} onChange={(event) => setOverwrite(event.target.checked)} />Replace a draft that was never published</label>
    </Dialog>
  );
}

export function ImportFlow() {
  const refusal = useRefusal("POST /api/v1/flows/import");
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button refusal={refusal} onClick={() => setAsked(true)}>Import</Button>
      {asked && <ImportDialog onClose={() => setAsked(false)} />}
    </>
  );
}
