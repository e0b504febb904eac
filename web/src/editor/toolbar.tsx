// The line above the canvas: what became of the changes, undo and redo, and what is done with the draft.
import { Link } from "wouter";

import { useRefusal } from "../api/me";
import { Button } from "../ui/button";
import { plural } from "../ui/numbers";
import { useDesk } from "./desk";
import { combined } from "./document/commands";
import { refitted } from "./document/groups";
import { tidied } from "./document/places";
import { SaveState } from "./saving/save-state";
import { useEditor } from "./store";

export type Side = "add" | "outline" | "problems";

interface Props {
  side: Side | undefined;
  onSide: (side: Side | undefined) => void;
  /** Nothing changes a draft that is not shown. */
  view: "draft" | "run" | "changes";
  onChanges: () => void;
  onRun: () => void;
  onPublish: () => void;
  onKeys: () => void;
}

const sides: readonly (readonly [Side, string])[] = [["add", "Add"], ["outline", "Outline"]];

export function Toolbar({ side, onSide, view, onChanges, onRun, onPublish, onKeys }: Props) {
  const { session, types, locked, problems, addNote } = useDesk();
  const { store } = session;
  const canUndo = useEditor(store, (state) => state.canUndo);
  const canRedo = useEditor(store, (state) => state.canRedo);
  const publishing = useRefusal();
  const running = useRefusal("POST /api/v1/flows/{name}/run");
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const tidy = async () => {
    const before = store.state.document;
    store.act(combined(await tidied(before), refitted(before, types)));
  };
  const isDraft = view === "draft";
  const flow = `/flows/${encodeURIComponent(session.name)}`;
  const toggle = (own: Side) => onSide(side === own ? undefined : own);
  return (
    <header className="editor-head">
      <nav className="crumbs" aria-label="Where this is">
        <Link href="/flows">Flows</Link><span className="faint">/</span><h1><Link href={flow} className="clip">{session.name}</Link></h1><span className="tag">draft</span>
      </nav>
      <SaveState />
      <div className="editor-tools" role="toolbar" aria-label="Tools">
        {isDraft && sides.map(([own, words]) => <Button key={own} aria-pressed={side === own} onClick={() => toggle(own)}>{words}</Button>)}
        {isDraft && <Button aria-pressed={side === "problems"} onClick={() => toggle("problems")} className={errors > 0 ? "has-errors" : ""}>{problems.length === 0 ? "Problems" : plural(problems.length, "problem")}</Button>}
        {isDraft && !locked && (
          <>
            <Button title="Undo (Ctrl Z)" disabled={!canUndo} onClick={store.undo}>Undo</Button>
            <Button title="Redo (Ctrl Shift Z)" disabled={!canRedo} onClick={store.redo}>Redo</Button>
            <Button title="Add a note (N)" className="not-on-phone" onClick={addNote}>Note</Button>
            <Button title="Lay out all nodes anew" className="not-on-phone" onClick={() => void tidy()}>Tidy</Button>
          </>
        )}
        <Button title="Keys of the editor" className="not-on-phone" onClick={onKeys}>Keys</Button>
      </div>
      <div className="row editor-acts">
        {isDraft && <Button title="What the draft changes of the version that runs" className="not-on-phone" onClick={onChanges}>Changes</Button>}
        <Link className="button" href={flow}>Versions</Link>
        <Button refusal={running} onClick={onRun}>Run</Button>
        <Button kind="main" refusal={publishing} onClick={onPublish}>Publish</Button>
      </div>
    </header>
  );
}
