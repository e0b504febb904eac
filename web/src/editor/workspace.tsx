// An open editor: the line above, the list beside, the canvas, and the panel of what is selected.
import { useReactFlow } from "@xyflow/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";

import { useRefusal } from "../api/me";
import { keyOfNote, usualNote } from "../canvas/notes";
import type { NodeTypes } from "../canvas/ports";
import { Dialog } from "../ui/dialog";
import { AddDialog } from "./canvas/add-dialog";
import { EditorCanvas } from "./canvas/canvas";
import { ConnectDialog } from "./canvas/connect-dialog";
import { focusNewCard } from "./canvas/focus-card";
import { type Imported, ImportedDialog } from "./canvas/imported-dialog";
import { keyWords, useKeys } from "./canvas/keyboard";
import { Outline } from "./canvas/outline";
import { Palette } from "./canvas/palette";
import { ChangesView } from "./changes/changes-view";
import { type AddRequest, type Desk, DeskProvider, useDesk, useSelectedNode, useSelectedNote } from "./desk";
import { additionOf } from "./document/addition";
import { boxesIn } from "./document/groups";
import { addNotes, newNote } from "./document/notes";
import { FlowPanel } from "./panel/flow-panel";
import { FLOW, type FocusRequest } from "./panel/focus-in";
import { NodePanel } from "./panel/node-panel";
import { NotePanel } from "./panel/note-panel";
import { ProblemList } from "./problems/list";
import { marksOf } from "./problems/placed";
import { useProblems } from "./problems/use-problems";
import { LiveRun } from "./run/live-run";
import { PublishDialog } from "./run/publish-dialog";
import { RunDialog } from "./run/run-dialog";
import type { Extent } from "./run/start";
import { ConflictBar } from "./saving/conflict";
import { Offer } from "./saving/offer";
import type { Session } from "./session";
import { selectionOf, useEditor } from "./store";
import { type Side, Toolbar } from "./toolbar";

type Asked = { kind: "add"; request: AddRequest } | { kind: "connect"; node: string } | { kind: "run"; extent: Extent } | { kind: "imported"; imported: Imported } | { kind: "publish" | "keys" };

/** What is shown in the middle. */
type View = { kind: "draft" | "changes" } | { kind: "run"; job: number };

function Keys({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys of the editor" onClose={onClose}>
      <dl className="shortcuts">{keyWords.map(([key, words]) => <div key={key}><dt>{words}</dt><dd><kbd className="keys">{key}</kbd></dd></div>)}</dl>
    </Dialog>
  );
}

interface PartsProps {
  asked: Asked | undefined;
  ask: (asked: Asked | undefined) => void;
  focus: FocusRequest | undefined;
  onFocused: () => void;
}

/** The draft itself. Its keys and its clipboard work while it is shown, and not on a draft that a run hides. */
function DraftBody({ side, onFind, focus, onFocused }: Pick<PartsProps, "focus" | "onFocused"> & { side: Side | undefined; onFind: () => void }) {
  const { session } = useDesk();
  const node = useSelectedNode();
  const note = useSelectedNote();
  useKeys(onFind);
  return (
    <div className={`editor-body ${side ? "with-side" : ""}`}>
      {side && <aside className="editor-side" aria-label="Beside the canvas">{side === "add" ? <Palette /> : side === "outline" ? <Outline /> : <ProblemList />}</aside>}
      <EditorCanvas label={`Draft of ${session.name}`} />
      <aside className="editor-panel" aria-label={node ? `Node ${node.name}` : note ? "Note" : "Flow"}>
        {node ? <NodePanel key={node.id} node={node} focus={focus} onFocused={onFocused} /> : note ? <NotePanel key={note.id} note={note} focus={focus} onFocused={onFocused} /> : <FlowPanel focus={focus} onFocused={onFocused} />}
      </aside>
    </div>
  );
}

function Parts({ asked, ask, focus, onFocused }: PartsProps) {
  const [side, setSide] = useState<Side | undefined>(() => (matchMedia("(min-width: 1100px)").matches ? "add" : undefined));
  const [view, setView] = useState<View>({ kind: "draft" });
  const element = useRef<HTMLElement>(null);
  const find = useCallback(() => {
    flushSync(() => setSide("outline")); // what is typed next belongs to the search, and is no key of the editor
    element.current?.querySelector<HTMLElement>("[data-search]")?.focus();
  }, []);
  const back = () => setView({ kind: "draft" });
  const close = () => ask(undefined);
  useEffect(() => {
    if (document.activeElement === document.body) element.current?.focus({ preventScroll: true }); // keys work from the start
  }, []);
  return (
    <main ref={element} className="editor" id="main" tabIndex={-1}>
      <Toolbar side={side} onSide={setSide} view={view.kind} onChanges={() => setView({ kind: "changes" })} onRun={() => ask({ kind: "run", extent: "all" })} onPublish={() => ask({ kind: "publish" })} onKeys={() => ask({ kind: "keys" })} />
      <ConflictBar />
      <Offer />
      {view.kind === "draft" && <DraftBody side={side} onFind={find} focus={focus} onFocused={onFocused} />}
      {view.kind === "run" && <LiveRun job={view.job} onClose={back} />}
      {view.kind === "changes" && <ChangesView onClose={back} />}
      {asked?.kind === "add" && <AddDialog request={asked.request} onClose={close} />}
      {asked?.kind === "connect" && <ConnectDialog node={asked.node} onClose={close} />}
      {asked?.kind === "run" && <RunDialog begins={asked.extent} onRun={(job) => setView({ kind: "run", job })} onClose={close} />}
      {asked?.kind === "publish" && <PublishDialog onClose={close} />}
      {asked?.kind === "imported" && <ImportedDialog imported={asked.imported} onClose={close} />}
      {asked?.kind === "keys" && <Keys onClose={close} />}
    </main>
  );
}

export function Workspace({ session, types }: { session: Session; types: NodeTypes }) {
  const locked = useRefusal("PUT /api/v1/flows/{name}");
  const document = useEditor(session.store, (state) => state.document);
  const { problems, document: checked } = useProblems(document, useRefusal("POST /api/v1/flows/validate"));
  const marks = useMemo(() => marksOf(problems), [problems]);
  const { setCenter, getZoom, getViewport, screenToFlowPosition } = useReactFlow();
  const [asked, setAsked] = useState<Asked>();
  const [focus, setFocus] = useState<FocusRequest>();

  const bring = useCallback(
    (id: string, always: boolean) => {
      const flow = session.store.state.document;
      const own = boxesIn(flow, types).get(id);
      const box = window.document.querySelector(".canvas.editing")?.getBoundingClientRect();
      if (!own || !box) return;
      const { x, y, width, height } = own;
      const view = getViewport();
      const [left, top] = [x * view.zoom + view.x, y * view.zoom + view.y];
      const isSeen = left >= 0 && top >= 0 && left + width * view.zoom <= box.width && top + height * view.zoom <= box.height;
      if (always || !isSeen) void setCenter(x + width / 2, y + height / 2, { zoom: Math.max(getZoom(), 0.6) });
    },
    [session, types, setCenter, getZoom, getViewport],
  );
  const show = useCallback(
    (node: string, path?: string) => {
      session.store.select(selectionOf(node === FLOW ? [] : [node]));
      bring(node, false);
      if (path !== undefined) setFocus({ node, path });
    },
    [session, bring],
  );
  const add: Desk["add"] = useCallback(
    (type, { at, port } = {}) => {
      const { document: flow, selection } = session.store.state;
      const box = window.document.querySelector(".canvas.editing")?.getBoundingClientRect();
      const { x, y } = screenToFlowPosition({ x: (box?.left ?? 0) + (box?.width ?? 0) / 2 - 110, y: (box?.top ?? 0) + (box?.height ?? 0) / 2 - 42 });
      const [beside] = selection.nodes;
      const { command, id } = additionOf(flow, types, type, { at, port, beside: at ? undefined : beside, centre: [Math.round(x), Math.round(y)] });
      session.store.act(command, { select: selectionOf([id]) });
      if (!at) bring(id, false);
      focusNewCard([id]);
    },
    [session, types, bring, screenToFlowPosition],
  );
  const addNote = useCallback(() => {
    const box = window.document.querySelector(".canvas.editing")?.getBoundingClientRect();
    const { x, y } = screenToFlowPosition({ x: (box?.left ?? 0) + (box?.width ?? 0) / 2 - usualNote.width / 2, y: (box?.top ?? 0) + (box?.height ?? 0) / 2 - usualNote.height / 2 });
    const note = newNote(session.store.state.document, { x, y, ...usualNote });
    session.store.act(addNotes([note]), { select: selectionOf([keyOfNote(note.id)]) });
    setFocus({ node: keyOfNote(note.id), path: "" });
  }, [session, screenToFlowPosition]);
  useEffect(() => {
    window.document.title = `${session.name}, draft · postrider`;
  }, [session]);
  const tellOfImport = useCallback((imported: Imported) => setAsked({ kind: "imported", imported }), []);
  const desk = useMemo<Desk>(
    () => ({ session, types, locked, problems, checked: checked !== undefined, marks, add, addNote, show, askToAdd: (request) => setAsked({ kind: "add", request }), askToConnect: (node) => setAsked({ kind: "connect", node }), tellOfImport, askToRun: (extent) => setAsked({ kind: "run", extent }) }),
    [session, types, locked, problems, checked, marks, add, addNote, show, tellOfImport],
  );
  return (
    <DeskProvider value={desk}>
      <Parts asked={asked} ask={setAsked} focus={focus} onFocused={useCallback(() => setFocus(undefined), [])} />
    </DeskProvider>
  );
}
