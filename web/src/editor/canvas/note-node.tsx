// A note on the canvas of the draft: its lower right corner gives it another size, by a drag or by arrow keys.
import { type NodeProps, useReactFlow } from "@xyflow/react";
import { type KeyboardEvent, memo, type PointerEvent, useRef, useState } from "react";

import { NoteBox } from "../../canvas/note-card";
import type { NoteNode } from "../../canvas/notes";
import { useDesk } from "../desk";
import { changeNote } from "../document/notes";

const LEAST = 60;
const STEP = 10;
const arrows: Record<string, readonly [number, number]> = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

interface Size {
  width: number;
  height: number;
}

const grown = ({ width, height }: Size, [across, down]: readonly [number, number]): Size => ({ width: Math.max(LEAST, Math.round(width + across)), height: Math.max(LEAST, Math.round(height + down)) });

export const NoteOnDraft = memo(function NoteOnDraft({ id, data, width = LEAST, height = LEAST }: NodeProps<NoteNode>) {
  const { session } = useDesk();
  const { getZoom } = useReactFlow();
  const pressedAt = useRef<readonly [number, number]>(undefined);
  const [sized, setSized] = useState<Size>();
  const take = (size: Size) => session.store.act(changeNote(id, { ...size }), { key: `${id} size` });
  const begin = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    pressedAt.current = [event.clientX, event.clientY];
  };
  const move = ({ clientX, clientY }: PointerEvent) => {
    if (pressedAt.current) setSized(grown({ width, height }, [(clientX - pressedAt.current[0]) / getZoom(), (clientY - pressedAt.current[1]) / getZoom()]));
  };
  const end = () => {
    pressedAt.current = undefined;
    if (sized) take(sized);
    setSized(undefined);
  };
  const press = (event: KeyboardEvent) => {
    const arrow = arrows[event.key];
    if (!arrow) return;
    event.preventDefault();
    take(grown({ width, height }, arrow));
  };
  return (
    <NoteBox note={data} style={{ ...sized }}>
      {data.editable && <button type="button" className="note-size nodrag" aria-label="Size of the note" title="Drag it, or press arrow keys" onPointerDown={begin} onPointerMove={move} onPointerUp={end} onPointerCancel={end} onKeyDown={press} />}
    </NoteBox>
  );
});
