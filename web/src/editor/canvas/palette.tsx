// All types of nodes beside the canvas. One is added by a drag, a double click, or Enter.
import { useReactFlow } from "@xyflow/react";
import { type PointerEvent, useMemo, useState } from "react";

import type { NodeType } from "../../canvas/ports";
import { useDesk } from "../desk";
import { groupsOf, plainText } from "./type-list";

const FAR_ENOUGH = 4;

/** What is dragged, and where the pointer is. */
interface Drag {
  type: NodeType;
  x: number;
  y: number;
  from: readonly [number, number];
  moved: boolean;
}

function useDrag(locked: boolean) {
  const { add } = useDesk();
  const { screenToFlowPosition } = useReactFlow();
  const [drag, setDrag] = useState<Drag>();
  const begin = (type: NodeType, event: PointerEvent<HTMLElement>) => {
    if (locked || event.button !== 0 || event.pointerType === "touch") return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ type, x: event.clientX, y: event.clientY, from: [event.clientX, event.clientY], moved: false });
  };
  const move = ({ clientX: x, clientY: y }: PointerEvent) => drag && setDrag({ ...drag, x, y, moved: drag.moved || Math.hypot(x - drag.from[0], y - drag.from[1]) > FAR_ENOUGH });
  const end = ({ clientX, clientY }: PointerEvent) => {
    setDrag(undefined);
    if (!drag?.moved || !document.elementFromPoint(clientX, clientY)?.closest(".canvas.editing")) return;
    const { x, y } = screenToFlowPosition({ x: clientX - 40, y: clientY - 20 });
    add(drag.type, { at: [x, y] });
  };
  return { drag, on: { onPointerMove: move, onPointerUp: end, onPointerCancel: () => setDrag(undefined) }, begin };
}

export function Palette() {
  const { types, add, locked } = useDesk();
  const [search, setSearch] = useState("");
  const groups = useMemo(() => groupsOf(types, search), [types, search]);
  const { drag, on, begin } = useDrag(locked !== undefined);
  return (
    <div className="palette" role="group" aria-label="Types of nodes">
      <input type="search" className="field" placeholder="Find a type" aria-label="Find a type of node" value={search} onChange={(event) => setSearch(event.target.value)} />
      <div className="palette-list">
        {groups.length === 0 && <p className="faint">No type matches.</p>}
        {groups.map(({ title, types: own }) => (
          <section key={title} aria-label={title}>
            <h2>{title}</h2>
            <ul>
              {own.map((type) => (
                <li key={type.name}>
                  <button
                    type="button"
                    className="palette-item"
                    data-group={type.group}
                    title={`${plainText(type.description)} Drag it onto the canvas, or double click.`}
                    aria-disabled={locked ? true : undefined}
                    onClick={(event) => event.detail === 0 && !locked && add(type)}
                    onDoubleClick={() => !locked && add(type)}
                    onPointerDown={(event) => begin(type, event)}
                    {...on}
                  >
                    {type.title}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {drag?.moved && <div className="palette-ghost" style={{ left: drag.x + 10, top: drag.y + 6 }} aria-hidden="true">{drag.type.title}</div>}
    </div>
  );
}
