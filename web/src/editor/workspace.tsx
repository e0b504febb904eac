// An open editor: the line above, the list beside, the canvas, and the panel of what is selected.
import { useReactFlow } from "@xyflow/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import { useRefusal } from "../api/me";
import type { NodeTypes } from "../canvas/ports";
import { Dialog } from "../ui/dialog";
import { AddDialog } from "./canvas/add-dialog";
import { EditorCanvas } from "./canvas/canvas";
import { ConnectDialog } from "./canvas/connect-dialog";
import { keyWords, useKeys } from "./canvas/keyboard";
import { Outline } from "./canvas/outline";
import { Palette } from "./canvas/palette";
import { type AddRequest, type Desk, DeskProvider, useDesk, useSelectedNode } from "./desk";
import { additionOf } from "./document/addition";
import { sizeOf } from "./document/places";
import { FlowPanel } from "./panel/flow-panel";
import { type FocusRequest, NodePanel } from "./panel/node-panel";
import { ProblemList } from "./problems/list";
import { marksOf } from "./problems/placed";
import { useProblems } from "./problems/use-problems";
import { LiveRun } from "./run/live-run";
import { PublishDialog } from "./run/publish-dialog";
import { RunDialog } from "./run/run-dialog";
import { ConflictBar } from "./saving/conflict";
import { Offer } from "./saving/offer";
import type { Session } from "./session";
import { selectionOf, useEditor } from "./store";
import { type Side, Toolbar } from "./toolbar";

type Asked = { kind: "add"; request: AddRequest } | { kind: "connect"; node: string } | { kind: "run" | "publish" | "keys" };

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

function Parts({ asked, ask, focus, onFocused }: PartsProps) {
  const { session } = useDesk();
  const node = useSelectedNode();
  const [side, setSide] = useState<Side | undefined>(() => (matchMedia("(min-width: 1100px)").matches ? "add" : undefined));
  const [run, setRun] = useState<number>();
  useKeys();
  const close = () => ask(undefined);
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) element.current?.focus({ preventScroll: true }); // keys work from the start
  }, []);
  return (
    <main ref={element} className="editor" id="main" tabIndex={-1}>
      <Toolbar side={side} onSide={setSide} onRun={() => ask({ kind: "run" })} onPublish={() => ask({ kind: "publish" })} onKeys={() => ask({ kind: "keys" })} />
      <ConflictBar />
      <Offer />
      {run !== undefined ? (
        <LiveRun job={run} onClose={() => setRun(undefined)} />
      ) : (
        <div className={`editor-body ${side ? "with-side" : ""}`}>
          {side && <aside className="editor-side" aria-label="Beside the canvas">{side === "add" ? <Palette /> : side === "outline" ? <Outline /> : <ProblemList />}</aside>}
          <EditorCanvas label={`Draft of ${session.name}`} />
          <aside className="editor-panel" aria-label={node ? `Node ${node.name}` : "Flow"}>{node ? <NodePanel key={node.id} node={node} focus={focus} onFocused={onFocused} /> : <FlowPanel />}</aside>
        </div>
      )}
      {asked?.kind === "add" && <AddDialog request={asked.request} onClose={close} />}
      {asked?.kind === "connect" && <ConnectDialog node={asked.node} onClose={close} />}
      {asked?.kind === "run" && <RunDialog onRun={setRun} onClose={close} />}
      {asked?.kind === "publish" && <PublishDialog onClose={close} />}
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
      const node = flow.nodes.find((each) => each.id === id);
      const box = window.document.querySelector(".canvas.editing")?.getBoundingClientRect();
      if (!node || !box) return;
      const { width, height } = sizeOf(flow, types, node);
      const [x, y] = node.position ?? [0, 0];
      const view = getViewport();
      const [left, top] = [x * view.zoom + view.x, y * view.zoom + view.y];
      const isSeen = left >= 0 && top >= 0 && left + width * view.zoom <= box.width && top + height * view.zoom <= box.height;
      if (always || !isSeen) void setCenter(x + width / 2, y + height / 2, { zoom: Math.max(getZoom(), 0.6) });
    },
    [session, types, setCenter, getZoom, getViewport],
  );
  const show = useCallback(
    (node: string, path?: string) => {
      session.store.select(selectionOf([node]));
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
      requestAnimationFrame(() => window.document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)?.focus({ preventScroll: true }));
    },
    [session, types, bring, screenToFlowPosition],
  );
  useEffect(() => {
    window.document.title = `${session.name}, draft · postrider`;
  }, [session]);
  const desk = useMemo<Desk>(
    () => ({ session, types, locked, problems, checked: checked !== undefined, marks, add, show, askToAdd: (request) => setAsked({ kind: "add", request }), askToConnect: (node) => setAsked({ kind: "connect", node }) }),
    [session, types, locked, problems, checked, marks, add, show],
  );
  return (
    <DeskProvider value={desk}>
      <Parts asked={asked} ask={setAsked} focus={focus} onFocused={useCallback(() => setFocus(undefined), [])} />
    </DeskProvider>
  );
}
