// A canvas, and beside it the node that is open.
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useMemo, useRef } from "react";

import { nodeTypesQuery } from "../api/node-types";
import { Button } from "../ui/button";
import { Canvas } from "./canvas";
import type { Drawing, Overlay } from "./drawing";
import "./flow-view.css";

interface Props {
  label: string;
  drawing: Drawing;
  overlay?: Overlay;
  open: string | undefined;
  onOpen: (node: string | undefined) => void;
  /** What there is to see of a node. */
  inside: (node: string) => ReactNode;
}

export function useNodeTypes() {
  const { data } = useQuery(nodeTypesQuery);
  return useMemo(() => new Map(data?.node_types.map((type) => [type.name ?? "", type])), [data]);
}

/** It takes the focus when a person opens it, and Escape or its button gives that back to the node's card. */
function Inspector({ id, name, asked, onClose, children }: { id: string; name: string; asked: RefObject<boolean>; onClose: () => void; children: ReactNode }) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!asked.current) return;
    element.current?.focus({ preventScroll: true });
    element.current?.scrollIntoView({ block: "nearest" }); // below the canvas on a phone
  }, [asked, id]);
  const close = () => {
    onClose();
    document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
  };
  return (
    <aside ref={element} className="inspector" aria-label={`Node ${name}`} tabIndex={-1} onKeyDown={(event: KeyboardEvent) => event.key === "Escape" && close()}>
      <header className="row">
        <h3 className="clip">{name}</h3>
        <Button kind="plain" className="spread" onClick={close}>Close</Button>
      </header>
      {children}
    </aside>
  );
}

export function FlowView({ label, drawing, overlay, open, onOpen, inside }: Props) {
  const asked = useRef(false); // not where the address has the node already
  const ask = (id: string) => {
    asked.current = true;
    onOpen(id);
  };
  const types = useNodeTypes();
  const node = drawing.nodes.find(({ id }) => id === open);
  return (
    <div className={`flow-view ${node ? "open" : ""}`}>
      <Canvas types={types} label={label} drawing={drawing} overlay={overlay} selected={node?.id} onOpen={ask} />
      {node && <Inspector id={node.id} name={node.name} asked={asked} onClose={() => onOpen(undefined)}>{inside(node.id)}</Inspector>}
    </div>
  );
}
