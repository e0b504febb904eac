// What a person can do with one flow, each operation with its own question. What its state does not allow is absent.
import { type ComponentType, type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";

import { useRefusal } from "../api/me";
import type { Change } from "../api/roles";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { toast } from "../ui/toast";
import { type Asked, useChanged } from "./asked";
import { deleteFlow, exportFlow, type Flow, operateFlow } from "./operate";
import { Publish } from "./publish";
import { Restore } from "./restore";
import { Run } from "./run";
import { Validate } from "./validate";
import { usualVersion, VersionChoice } from "./version-choice";

interface Operation {
  title: string;
  /** The endpoint, where others than owners may ask it; null = it changes nothing. */
  change?: Change | null;
  fits: (flow: Flow) => boolean;
  dialog: ComponentType<Asked>;
}

function Export({ flow, onClose }: Asked) {
  const [version, setVersion] = useState(usualVersion(flow));
  return (
    <Dialog title={`Export ${flow.name}`} act="Save as a file" onAct={() => exportFlow(flow.name, version)} onClose={onClose}>
      <VersionChoice flow={flow} value={version} onChange={setVersion} />
    </Dialog>
  );
}

const plain = (act: string, words: ReactNode, run: (flow: Flow) => Promise<unknown>, done: string, danger = false) =>
  function Question({ flow, onClose }: Asked) {
    const changed = useChanged();
    const [, navigate] = useLocation();
    const go = async () => {
      await run(flow).finally(changed);
      toast(`${flow.name} is ${done}.`);
      if (done === "deleted") navigate("/flows");
    };
    return (
      <Dialog title={`${act} ${flow.name}?`} act={act} danger={danger} onAct={go} onClose={onClose}>
        <div className="soft stack">{words}</div>
      </Dialog>
    );
  };

/** Also says why a flow may be refused its end. */
const DeleteWords = () => (
  <>
    <p>Its draft and all its versions are deleted for good.</p>
    <p>This is refused while an execution of it is stored, or another flow that calls it still runs. Executions are stored for the time of the setting <code>retention.jobs</code> after their end. Until then the flow stays in the archive, where it starts nothing.</p>
  </>
);

const operations: readonly Operation[] = [
  { title: "Run", change: "POST /api/v1/flows/{name}/run", fits: ({ archived_at }) => archived_at === null, dialog: Run },
  { title: "Publish the draft", fits: ({ archived_at, changed, published_version }) => archived_at === null && (changed || published_version === null), dialog: Publish },
  { title: "Validate the draft", change: "POST /api/v1/flows/validate", fits: () => true, dialog: Validate },
  { title: "Restore a version", change: "POST /api/v1/flows/{name}/versions/{version}/restore", fits: ({ published_version }) => published_version !== null, dialog: Restore },
  { title: "Export", change: null, fits: () => true, dialog: Export },
  {
    title: "Archive",
    fits: ({ archived_at }) => archived_at === null,
    dialog: plain("Archive", "No new execution of it starts. Running ones continue. You can take it out of the archive again.", (flow) => operateFlow(flow, "archive"), "archived"),
  },
  {
    title: "Take out of the archive",
    fits: ({ archived_at }) => archived_at !== null,
    dialog: plain("Take out", "Its published version starts new executions again.", (flow) => operateFlow(flow, "unarchive"), "out of the archive"),
  },
  {
    title: "Delete",
    fits: ({ archived_at, published_version }) => archived_at !== null || published_version === null,
    dialog: plain("Delete", <DeleteWords />, deleteFlow, "deleted", true),
  },
];

function Act({ operation: { title, change }, onAsk }: { operation: Operation; onAsk: () => void }) {
  const refusal = useRefusal(change ?? undefined);
  return <Button {...(title === "Delete" ? { kind: "danger" as const } : {})} refusal={change === null ? undefined : refusal} onClick={onAsk}>{title}</Button>;
}

/** A button for each operation of the flow. A question is about the flow as it was when it was asked. */
export function FlowOperations({ flow }: { flow: Flow }) {
  const [asked, setAsked] = useState<{ dialog: Operation["dialog"]; flow: Flow }>();
  const Question = asked?.dialog;
  return (
    <div className="row">
      <Link className="button main" href={`/flows/${encodeURIComponent(flow.name)}/edit`}>Edit</Link>
      {operations.filter(({ fits }) => fits(flow)).map((operation) => <Act key={operation.title} operation={operation} onAsk={() => setAsked({ dialog: operation.dialog, flow })} />)}
      {Question && <Question flow={asked.flow} onClose={() => setAsked(undefined)} />}
    </div>
  );
}
