// The draft, drawn: the cards of the read-only canvas, which can be moved, selected and connected here. What is dragged
// stays in the library until it is dropped; then it is one command.
import { type Connection, type Edge, type EdgeChange, MiniMap, type NodeChange, type OnConnectEnd, ReactFlow, useReactFlow } from "@xyflow/react";
import { type MouseEvent, type PointerEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";

import "../../canvas/canvas.css";
import type { Overlay } from "../../canvas/drawing";
import { drawingOf } from "../../canvas/drawing";
import { NodeCard } from "../../canvas/node-card";
import { type NoteNode, notesIn, noteToCanvas } from "../../canvas/notes";
import { type CardNode, storedPlaces, toCanvas } from "../../canvas/to-canvas";
import { useSteady } from "../../canvas/use-steady";
import { useDesk, useDocument, useSelection } from "../desk";
import { connect, moveNodes } from "../document/commands";
import { withMembers } from "../document/groups";
import { endsBetween } from "../document/fitting";
import { keyOfEnds, type Point } from "../document/model";
import { useClipboard } from "./clipboard";
import { ConnectionHint } from "./connection-hint";
import { endsOfConnection, portOf } from "./handles";
import { NoteOnDraft } from "./note-node";
import { ZoomButtons } from "./zoom-buttons";

const cards = { card: NodeCard, note: NoteOnDraft };
const words = { "node.a11yDescription.default": "Enter opens it. A adds a node beside it, C connects it, Delete deletes it." };
const nearby = { padding: 0.12, maxZoom: 1 };
/** All of a larger flow at once could not be read. It opens where it begins, and what is out of sight is no element. */
const MANY = 150;
const FIRST = 24;
const WITH_MAP = 12;
const MAP_MS = 300;
const mapSize = { width: 140, height: 96 };
const mapClass = ({ type }: Placed) => (type === "note" ? "map-note" : "");
const severalKeys = ["Meta", "Control"];
const noPlaces: ReadonlyMap<string, Point> = new Map();

type Placed = CardNode | NoteNode;

function useDrawn(overlay: Overlay | undefined) {
  const { types, marks, locked } = useDesk();
  const document = useDocument();
  const selection = useSelection();
  const drawing = useMemo(() => drawingOf(document), [document]);
  const drawn = useMemo(() => toCanvas(drawing, { places: storedPlaces(drawing) ?? placesOf(document.nodes), types, overlay, marks }), [drawing, document, types, overlay, marks]);
  const notes = useMemo(() => notesIn(document).map((note) => noteToCanvas(note, locked === undefined, false)), [document, locked]);
  const nodes = useSteady<Placed>(useMemo(() => [...notes, ...drawn.nodes].map((node) => ({ ...node, selected: selection.nodes.has(node.id) })), [drawn, notes, selection]));
  const edges = useSteady(
    useMemo(() => {
      const kinds = drawing.connections.map(({ type }) => type);
      return drawn.edges.map((edge, index): Edge => {
        const id = keyOfEnds({ type: kinds[index] ?? "main", ...endsOfConnection(edge) });
        return { ...edge, id, interactionWidth: 20, selected: selection.connections.has(id) };
      });
    }, [drawn, drawing, selection]),
  );
  return { nodes, edges };
}

const placesOf = (nodes: readonly { id: string; position?: Point }[]) => new Map(nodes.map(({ id, position = [0, 0] }) => [id, position]));

/** A change of the library's selection, as one of a set. */
function selected(ids: ReadonlySet<string>, changes: readonly (NodeChange<Placed> | EdgeChange)[]): ReadonlySet<string> | undefined {
  const own = changes.filter((change) => change.type === "select");
  if (own.length === 0) return undefined;
  const next = new Set(ids);
  for (const { id, selected: isSelected } of own) isSelected ? next.add(id) : next.delete(id);
  return next;
}

/** The first node of the document, and those around it. */
function nearestOf(nodes: readonly Placed[]): Placed[] {
  const first = nodes.find(({ type }) => type === "card")?.position ?? { x: 0, y: 0 };
  const far = ({ position: { x, y } }: Placed) => Math.hypot(x - first.x, y - first.y);
  return [...nodes].sort((one, other) => far(one) - far(other)).slice(0, FIRST);
}

export function EditorCanvas({ overlay, label }: { overlay?: Overlay | undefined; label: string }) {
  const desk = useDesk();
  const { session, types, locked } = desk;
  const { store } = session;
  const { nodes, edges } = useDrawn(overlay);
  const { screenToFlowPosition } = useReactFlow();
  const element = useRef<HTMLDivElement>(null);
  const pointer = useRef<Point | undefined>(undefined);
  const [begins] = useState(() => nodes.length > 0); // an empty canvas stays where it is when its first node comes
  const [fit] = useState(() => (nodes.length > MANY ? { ...nearby, nodes: nearestOf(nodes) } : nearby));
  const [mapped, setMapped] = useState(nodes.length <= MANY);
  useEffect(() => {
    const timer = setTimeout(() => setMapped(true), MAP_MS); // the map has all nodes: the canvas is there first
    return () => clearTimeout(timer);
  }, []);
  const [moving, setMoving] = useState(noPlaces);

  const at = useCallback((): Point | undefined => {
    if (!pointer.current) return undefined;
    const { x, y } = screenToFlowPosition({ x: pointer.current[0], y: pointer.current[1] });
    return [x, y];
  }, [screenToFlowPosition]);
  const centre = useCallback((): Point => {
    const box = element.current?.getBoundingClientRect();
    const { x, y } = screenToFlowPosition({ x: (box?.left ?? 0) + (box?.width ?? 0) / 2, y: (box?.top ?? 0) + (box?.height ?? 0) / 2 });
    return [Math.round(x), Math.round(y)];
  }, [screenToFlowPosition]);
  useClipboard(at, centre);

  const shown = useMemo(() => {
    if (moving.size === 0) return nodes;
    const places = withMembers(store.state.document, types, moving);
    return nodes.map((node) => (places.has(node.id) ? { ...node, position: pointIn(places, node), dragging: true } : node));
  }, [nodes, moving, store, types]);

  // The library tells all nodes and edges of each function that is another one, so these stay the same while a node is dragged.
  const moved = useRef(noPlaces);
  const changeNodes = useCallback(
    (changes: NodeChange<Placed>[]) => {
      const { selection } = store.state;
      const next = selected(selection.nodes, changes);
      if (next) store.select({ ...selection, nodes: next });
      const moves = changes.filter((change) => change.type === "position");
      if (moves.length === 0) return;
      const places = moves.flatMap(({ id, position }): [string, Point][] => (position ? [[id, [position.x, position.y]]] : []));
      const dragged = new Map([...moved.current, ...places]);
      const isOver = !moves.some(({ dragging }) => dragging);
      moved.current = isOver ? noPlaces : dragged;
      if (isOver) store.act(moveNodes(withMembers(store.state.document, types, dragged)));
      setMoving(moved.current);
    },
    [store, types],
  );
  const changeEdges = useCallback(
    (changes: EdgeChange[]) => {
      const { selection } = store.state;
      const next = selected(selection.connections, changes);
      if (next) store.select({ ...selection, connections: next });
    },
    [store],
  );
  const between = useCallback((connection: Connection | Edge) => endsBetween(store.state.document, types, endsOfConnection(connection)), [store, types]);
  const makeConnection = useCallback(
    (connection: Connection) => {
      const ends = between(connection);
      if (ends) store.act(connect(ends));
    },
    [store, between],
  );
  const isValid = useCallback((connection: Connection | Edge) => between(connection) !== undefined, [between]);
  const endConnection: OnConnectEnd = useCallback(
    (event, { fromHandle, toHandle }) => {
      if (toHandle || !fromHandle || locked) return;
      const place = "changedTouches" in event ? event.changedTouches[0] : event;
      if (!place) return;
      const { x, y } = screenToFlowPosition({ x: place.clientX, y: place.clientY });
      desk.askToAdd({ at: [x, y - 40], port: portOf(fromHandle) });
    },
    [locked, screenToFlowPosition, desk],
  );
  const doubleClick = (event: MouseEvent) => {
    if (locked || !(event.target as HTMLElement).classList.contains("react-flow__pane")) return;
    const { x, y } = screenToFlowPosition({ x: event.clientX, y: event.clientY });
    desk.askToAdd({ at: [x, y] });
  };
  const follow = (event: PointerEvent) => (pointer.current = [event.clientX, event.clientY]);
  return (
    <div ref={element} className="canvas editing" onPointerMove={follow} onPointerLeave={() => (pointer.current = undefined)} onDoubleClick={doubleClick}>
      <ReactFlow
        aria-label={label}
        nodes={shown}
        edges={edges}
        nodeTypes={cards}
        ariaLabelConfig={words}
        onNodesChange={changeNodes}
        onEdgesChange={changeEdges}
        onConnect={makeConnection}
        isValidConnection={isValid}
        onConnectEnd={endConnection}
        fitView={begins}
        fitViewOptions={fit}
        minZoom={0.1}
        maxZoom={2}
        connectionRadius={28}
        nodesDraggable={!locked}
        nodesConnectable={!locked}
        edgesFocusable={false}
        disableKeyboardA11y
        elevateNodesOnSelect={false}
        deleteKeyCode={null}
        selectionKeyCode="Shift"
        multiSelectionKeyCode={severalKeys}
        zoomOnDoubleClick={false}
        onlyRenderVisibleElements={nodes.length > MANY}
      >
        <ZoomButtons />
        <ConnectionHint />
        {mapped && nodes.length > WITH_MAP && <MiniMap ariaLabel="Map of the flow" style={mapSize} nodeClassName={mapClass} pannable />}
      </ReactFlow>
    </div>
  );
}

function pointIn(places: ReadonlyMap<string, Point>, { id, position }: Placed) {
  const place = places.get(id);
  return place ? { x: place[0], y: place[1] } : position;
}
