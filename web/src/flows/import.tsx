// A flow from a file: its document becomes a draft, and with a check mark the next version. A workflow of n8n becomes a draft,
// with a list of what to look at.
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
import { workflowOf } from "./n8n";
import { type FlowProblem, problemsOfDraft } from "./operate";

async function documentIn(file: File | undefined): Promise<unknown> {
  if (!file) throw new Error("Choose a file.");
  const document = typedJson(await file.text(), file.name);
  if (document === undefined) throw new Error(`${file.name} is empty.`);
  return document;
}

interface FromN8n {
  name: string;
  problems: readonly FlowProblem[];
}

function N8nDialog({ draft: { name, problems }, onClose }: { draft: FromN8n; onClose: () => void }) {
  const [, navigate] = useLocation();
  const ordered = [...problems.filter(({ severity }) => severity === "error"), ...problems.filter(({ severity }) => severity !== "error")];
  return (
    <Dialog wide title={`${name} from n8n`} act="Edit it" onAct={() => navigate(`/flows/${encodeURIComponent(name)}/edit`)} onClose={onClose}>
      <p className="soft">{problems.length === 0 ? "All of it was converted." : "The draft is made. Look at these before you run it. Nodes without a counterpart are disabled, and their notes say what they did."}</p>
      {problems.length > 0 && <ul className="from-n8n" tabIndex={0} aria-label="Problems of the import">{ordered.map((problem, index) => <li key={`${index} ${problem.path}`} className={problem.severity === "error" ? "bad" : ""}>{problemText(problem)}</li>)}</ul>}
    </Dialog>
  );
}

function ImportDialog({ onClose }: { onClose: () => void }) {
  const changed = useChanged();
  const [, navigate] = useLocation();
  const [file, setFile] = useState<File>();
  const [publish, setPublish] = useState(false);
  const [overwrite, setOverwrite] = useState(false);
  const [ownName, setOwnName] = useState("");
  const [fromN8n, setFromN8n] = useState<FromN8n>();
  const load = useMutation({
    mutationFn: async (document: unknown) => {
      const { name } = await post("/api/v1/flows/import", document, { query: { ...(publish ? { publish } : {}), ...(overwrite ? { overwrite } : {}) } });
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
  const act = async () => {
    const document = await documentIn(file);
    const workflow = workflowOf(document);
    if (!workflow) return load.mutateAsync(document);
    const made = await post("/api/v1/flows/import-n8n", workflow, { query: { ...(overwrite ? { overwrite } : {}), ...(ownName ? { name: ownName } : {}) } });
    changed();
    setFromN8n({ name: String((made.document as { name?: unknown }).name), problems: made.problems });
    return "stay";
  };
  if (fromN8n) return <N8nDialog draft={fromN8n} onClose={onClose} />;
  return (
    <Dialog title="Import a flow" act="Import" onAct={act} onClose={onClose}>
      <p className="soft">The file is a document such as an export saves. It makes the flow that it names, or replaces its draft. A workflow that n8n exported becomes a draft, and is never published by this.</p>
      <Field label="File">{(props) => <input type="file" accept=".json,application/json" className="field" required {...props} onChange={(event) => setFile(event.target.files?.[0])} />}</Field>
      <Field label="Name" hint="Of a workflow from n8n. Empty: its own name.">{(props) => <input className="field" maxLength={64} {...props} value={ownName} onChange={(event) => setOwnName(event.target.value)} />}</Field>
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
