// Publishing is an act of its own, with what it changes. The draft is saved before, so that what is shown is what is published.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { get } from "../../api/client";
import { Problem } from "../../api/problem";
import { useChanged } from "../../flows/asked";
import { Differences } from "../../flows/diff";
import { operateFlow } from "../../flows/operate";
import { readFlow } from "../../flows/queries";
import { Dialog } from "../../ui/dialog";
import { Empty, Loaded } from "../../ui/feedback";
import { Field } from "../../ui/field";
import { toast } from "../../ui/toast";
import { useDesk } from "../desk";
import { ReplaysOfDraft } from "./replays";

/** The saved draft, and what differs from what runs now. */
async function prepared(name: string, flush: () => Promise<boolean>, signal: AbortSignal) {
  if (!(await flush())) throw new Error("The draft is not saved, so it cannot be published.");
  const flow = await readFlow(name, signal);
  const diff = flow.published_version === null ? undefined : await get("/api/v1/flows/{name}/diff", { params: { name }, query: { from: String(flow.published_version), to: "draft" }, signal });
  return { flow, diff };
}

export function PublishDialog({ onClose }: { onClose: () => void }) {
  const { session, problems } = useDesk();
  const changed = useChanged();
  const [note, setNote] = useState("");
  const [refused, setRefused] = useState<readonly string[]>([]);
  const errors = problems.filter(({ severity }) => severity === "error");
  const ready = useQuery({ queryKey: ["editor-publish", session.name], queryFn: ({ signal }) => prepared(session.name, () => session.saver.flush(), signal), gcTime: 0, staleTime: Infinity, retry: false });
  const publish = async () => {
    if (!ready.data) throw new Error("The draft is not ready yet.");
    try {
      const published = (await operateFlow(ready.data.flow, "publish", note.trim() ? { note: note.trim() } : {})) as { published_version: number };
      toast(`${session.name} v${published.published_version} is published.`);
    } catch (error) {
      if (error instanceof Problem) setRefused(error.errors);
      throw error;
    } finally {
      changed();
    }
  };
  const diff = ready.data?.diff;
  return (
    <Dialog title={`Publish ${session.name}?`} act="Publish" onAct={publish} onClose={onClose}>
      <p className="soft">The draft becomes the next version. New executions run it. Running ones stay with the version that they began with.</p>
      {errors.length > 0 && <p className="bad">{errors.length === 1 ? "A problem keeps" : `${errors.length} problems keep`} it from being published. Close this, and look at the problems.</p>}
      <Loaded query={ready}>
        {({ flow }) => (
          <div className="publish-diff" tabIndex={0} role="group" aria-label="What differs">
            {!diff ? <p>It was not published before: all of it is new.</p> : diff.empty ? <Empty title="There is no difference.">Version {flow.published_version} runs already.</Empty> : <Differences {...diff} />}
          </div>
        )}
      </Loaded>
      {diff && !diff.empty && <ReplaysOfDraft />}
      <Field label="Note" hint="For people: what is new.">{(props) => <input className="field" maxLength={1000} {...props} value={note} onChange={({ target }) => setNote(target.value)} />}</Field>
      {refused.length > 0 && <ul>{refused.map((words) => <li key={words} className="bad">{words}</li>)}</ul>}
    </Dialog>
  );
}
