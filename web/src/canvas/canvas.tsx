// A flow, drawn. Read-only: it pans, zooms, and a node opens by click, Enter or Space. Only pages of
// later.ts have one.
import { MiniMap, Panel, ReactFlow, useReactFlow, useStore } from "@xyflow/react";
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";

import { Button } from "../ui/button";
import "@xyflow/react/dist/base.css";
import "./canvas.css";
import type { Drawing, Overlay } from "./drawing";
import { layout } from "./layout";
import { NodeCard } from "./node-card";
import { NoteCard } from "./note-card";
import { type DrawnNote, keyOfNote, type NoteNode, noteToCanvas } from "./notes";
import type { NodeTypes } from "./ports";
import { type CardNode, type Places, storedPlaces, toCanvas } from "./to-canvas";
import { useSteady } from "./use-steady";

export interface CanvasProps {
  label: string;
  drawing: Drawing;
  types: NodeTypes;
  overlay?: Overlay | undefined;
  selected?: string | undefined;
  onOpen: (node: string) => void;
}

const cards = { card: NodeCard, note: NoteCard };
const noNotes: readonly DrawnNote[] = [];
const words = { "node.a11yDescription.default": "Press Enter to open it." };
const nearby = { padding: 0.08, maxZoom: 1 };
/** With more nodes than this only those in sight are elements of the page. */
const MANY = 150;
const WITH_MAP = 12;
const mapSize = { width: 140, height: 96 };

/** The document's places, or a layout of our own, which changes only with nodes and connections. */
function usePlaces(drawing: Drawing): Places | undefined {
  const stored = useMemo(() => storedPlaces(drawing), [drawing]);
  const shape = useMemo(() => JSON.stringify([drawing.nodes.map(({ id }) => id), drawing.connections.map(({ type, from, to }) => [type, from, to])]), [drawing]);
  const [laid, setLaid] = useState<{ shape: string; places: Places }>();
  const [failure, setFailure] = useState<Error>();
  const missing = !stored && laid?.shape !== shape;
  useEffect(() => {
    if (!missing) return;
    let gone = false;
    layout(drawing)
      .then((places) => !gone && setLaid({ shape, places }))
      .catch((error: Error) => !gone && setFailure(error));
    return () => {
      gone = true;
    };
    // The shape stands for the drawing.
  }, [missing, shape]);
  if (failure) throw failure; // the script of the layout is gone
  return stored ?? (missing ? undefined : laid?.places);
}

/** `moved`: a person chose what is in sight. Until then all of the graph stays so, whatever size the canvas takes. */
function Zoom({ moved }: { moved: RefObject<boolean> }) {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const [across, down] = [useStore(({ width }) => width), useStore(({ height }) => height)];
  useEffect(() => {
    if (across > 0 && !moved.current) void fitView(nearby);
  }, [across, down, moved, fitView]);
  const zoom = (change: () => Promise<boolean>, isMove = true) => {
    moved.current = isMove;
    void change();
  };
  return (
    <Panel position="bottom-left" className="zoom">
      <Button title="Zoom in" aria-label="Zoom in" onClick={() => zoom(zoomIn)}>+</Button>
      <Button title="Zoom out" aria-label="Zoom out" onClick={() => zoom(zoomOut)}>−</Button>
      <Button onClick={() => zoom(() => fitView(nearby), false)}>Fit</Button>
    </Panel>
  );
}

/** The open node stays in sight when what is inside it takes a part of the canvas. */
function InSight({ node: id }: { node: string | undefined }) {
  const { getNode, getViewport, setCenter } = useReactFlow();
  const [across, down] = [useStore(({ width }) => width), useStore(({ height }) => height)];
  useEffect(() => {
    const node = id === undefined ? undefined : getNode(id);
    if (!node || across === 0) return; // not measured yet
    const { x, y, zoom } = getViewport();
    const [width, height] = [node.width ?? 0, node.height ?? 0];
    const [left, top] = [node.position.x * zoom + x, node.position.y * zoom + y];
    if (left >= 0 && top >= 0 && left + width * zoom <= across && top + height * zoom <= down) return;
    void setCenter(node.position.x + width / 2, node.position.y + height / 2, { zoom });
  }, [id, across, down, getNode, getViewport, setCenter]);
  return null;
}

const isNote = (id: string) => id.startsWith(keyOfNote(""));

export function Canvas({ label, drawing, types, overlay, selected, onOpen }: CanvasProps) {
  const places = usePlaces(drawing);
  const moved = useRef(false);
  const drawn = useMemo(
    () => (places ? toCanvas(drawing, { places, types, overlay, selected }) : { nodes: [], edges: [] }),
    [drawing, places, types, overlay, selected],
  );
  const { notes = noNotes } = drawing;
  const nodes = useSteady<CardNode | NoteNode>(useMemo(() => [...notes.map((note) => ({ ...noteToCanvas(note, false, false), focusable: false })), ...drawn.nodes], [drawn, notes]));
  const edges = useSteady(drawn.edges);
  const open = (event: KeyboardEvent<HTMLElement>) => {
    const node = (event.target as HTMLElement).closest<HTMLElement>(".react-flow__node")?.dataset.id;
    if (node === undefined || isNote(node) || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    onOpen(node);
  };
  if (!places) return <div className="canvas" />;
  return (
    <div className="canvas">
      <ReactFlow
        aria-label={label}
        nodes={nodes}
        edges={edges}
        nodeTypes={cards}
        ariaLabelConfig={words}
        onNodeClick={(_event, { id }) => !isNote(id) && onOpen(id)}
        onKeyDown={open}
        onMoveStart={(event) => event && (moved.current = true)}
        fitView
        fitViewOptions={nearby}
        minZoom={0.1}
        maxZoom={2}
        nodesDraggable={false}
        nodesConnectable={false}
        elementsSelectable={false}
        edgesFocusable={false}
        deleteKeyCode={null}
        zoomOnScroll={false}
        zoomOnDoubleClick={false}
        preventScrolling={false}
        onlyRenderVisibleElements={nodes.length > MANY}
      >
        <Zoom moved={moved} />
        <InSight node={selected} />
        {nodes.length > WITH_MAP && <MiniMap ariaLabel="Map of the flow" style={mapSize} nodeClassName={({ id, data }) => (isNote(id) ? "map-note" : `map-${(data as { run?: { state: string } }).run?.state ?? "plain"}`)} />}
      </ReactFlow>
    </div>
  );
}
