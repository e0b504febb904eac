// A node on a canvas. The editor and the view of an execution show the same card.
import { Handle, type NodeProps, type Position } from "@xyflow/react";
import { memo } from "react";

import { plural } from "../ui/numbers";
import { durationText } from "../ui/zone";
import type { NodeRun } from "./drawing";
import { NodeState } from "./node-state";
import type { Port } from "./ports";
import type { CardNode } from "./to-canvas";

function Run({ run: { state, took, items, tries }, part }: { run: NodeRun; part: boolean }) {
  const figures = [items > 0 && (part ? `×${items}` : plural(items, "item")), took !== null && !part && durationText(took), tries > 1 && `${tries} tries`];
  return (
    <span className="run">
      <NodeState state={state} />
      <span className="soft clip">{figures.filter(Boolean).join(" · ")}</span>
    </span>
  );
}

function PortDot({ port: { id, name, kind, title, side, x, y }, named }: { port: Port; named: boolean }) {
  return (
    <>
      <Handle id={id} data-kind={kind} title={title ? `${name}: ${title}` : name} type={id.startsWith("in ") ? "target" : "source"} position={side as Position} style={{ left: x, top: y, right: "auto", bottom: "auto", transform: "translate(-50%, -50%)" }} />
      {named && <span className="port-name" aria-hidden="true" style={{ top: y }}>{name}</span>}
    </>
  );
}

export const NodeCard = memo(function NodeCard({ data: { name, title, group, part, disabled, pinned, ports, run, mark, change } }: NodeProps<CardNode>) {
  const outputs = ports.filter(({ side }) => side === "right").length;
  return (
    <>
      <span className={`card ${part ? "part" : ""} ${disabled ? "disabled" : ""}`} data-group={group} data-state={run?.state} data-change={change}>
        <strong className="clip" title={name}>{name}</strong>
        {!part && <span className="faint clip">{title}{disabled ? " · disabled" : pinned ? " · pinned" : group && group !== title.toLowerCase() ? ` · ${group}` : ""}</span>}
        {part && !run && <span className="faint clip" title={title}>{disabled ? "disabled" : title}</span>}
        {mark && <span className={`card-mark tone-${mark.tone}`} title={mark.words} role="img" aria-label={mark.words}>{mark.sign ?? "!"}</span>}
        {run && <Run run={run} part={part} />}
      </span>
      {ports.map((port) => <PortDot key={port.id} port={port} named={port.side === "right" && outputs > 1} />)}
    </>
  );
});
