// A flow as a small picture of its cards and connections. Nothing in it is a control, and its caption says what it
// is: a reader of the page leaves it out.
import { getBezierPath, type Position } from "@xyflow/react";
import { useMemo } from "react";

import type { Drawing } from "./drawing";
import "./picture.css";
import type { NodeTypes } from "./ports";
import { storedPlaces, toCanvas } from "./to-canvas";

const MARGIN = 12;

/** What an SVG draws. Pure. */
export function pictureOf(drawing: Drawing, types: NodeTypes) {
  const { nodes, edges } = toCanvas(drawing, { places: storedPlaces(drawing) ?? new Map(), types });
  const cards = nodes.map(({ id, position, width = 0, height = 0, data }) => ({ id, ...position, width, height, part: data.part, group: data.group }));
  const ends = new Map(nodes.flatMap(({ id, position, handles = [] }) => handles.map((handle) => [`${id} ${handle.id}`, { x: position.x + handle.x, y: position.y + handle.y, side: handle.position }] as const)));
  const lines = edges.flatMap(({ id, source, sourceHandle, target, targetHandle, className }) => {
    const [start, end] = [ends.get(`${source} ${sourceHandle}`), ends.get(`${target} ${targetHandle}`)];
    if (!start || !end) return [];
    const [path] = getBezierPath({ sourceX: start.x, sourceY: start.y, sourcePosition: start.side as Position, targetX: end.x, targetY: end.y, targetPosition: end.side as Position });
    return [{ id, path, className }];
  });
  const left = Math.min(...cards.map(({ x }) => x)) - MARGIN;
  const top = Math.min(...cards.map(({ y }) => y)) - MARGIN;
  const width = Math.max(...cards.map((card) => card.x + card.width)) + MARGIN - left;
  const height = Math.max(...cards.map((card) => card.y + card.height)) + MARGIN - top;
  return { box: `${left} ${top} ${width} ${height}`, cards, lines };
}

export function Picture({ drawing, types }: { drawing: Drawing; types: NodeTypes }) {
  const { box, cards, lines } = useMemo(() => pictureOf(drawing, types), [drawing, types]);
  return (
    <svg className="picture" viewBox={box} aria-hidden="true">
      {lines.map(({ id, path, className }) => <path key={id} d={path} className={className} />)}
      {cards.map(({ id, x, y, width, height, part, group }) => <rect key={id} className={part ? "part" : undefined} data-group={group} x={x} y={y} width={width} height={height} rx={group === "trigger" ? 36 : 12} />)}
    </svg>
  );
}
