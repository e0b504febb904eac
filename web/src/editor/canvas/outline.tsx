// All nodes as a list, parts below the node that has them: for the keyboard, for screen readers, and to find one.
import { useMemo, useState } from "react";

import { useDesk, useDocument, useSelection } from "../desk";
import { connectionsOf, endsOf, type FlowDocument, type FlowNode } from "../document/model";

interface Line {
  node: FlowNode;
  depth: number;
}

/** Nodes in the document's order; a part follows the first node that has it. */
export function linesOf(document: FlowDocument): Line[] {
  const ends = connectionsOf(document).map((each) => endsOf(document, each)).filter(({ type }) => type !== "main");
  const owners = new Map([...ends].reverse().map(({ from, to }) => [from, to]));
  const lines: Line[] = [];
  const shown = new Set<string>();
  const show = (node: FlowNode, depth: number) => {
    if (shown.has(node.id)) return;
    shown.add(node.id);
    lines.push({ node, depth });
    for (const other of document.nodes) if (owners.get(other.id) === node.id) show(other, depth + 1);
  };
  for (const node of document.nodes) if (!owners.has(node.id)) show(node, 0);
  for (const node of document.nodes) show(node, 0); // parts that hang on each other
  return lines;
}

export function Outline() {
  const { types, marks, show } = useDesk();
  const document = useDocument();
  const { nodes: selected } = useSelection();
  const [search, setSearch] = useState("");
  const lines = useMemo(() => linesOf(document), [document]);
  const text = search.trim().toLowerCase();
  const found = text ? lines.filter(({ node }) => `${node.name} ${node.type} ${types.get(node.type)?.title ?? ""} ${JSON.stringify(node.parameters ?? {}, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value))}`.toLowerCase().includes(text)) : lines;
  return (
    <div className="outline" role="group" aria-label="Outline">
      <input type="search" className="field" data-search placeholder="Find a node or a text" aria-label="Find a node" value={search} onChange={(event) => setSearch(event.target.value)} />
      {found.length === 0 && <p className="faint">{text ? "No node matches." : "There are no nodes yet."}</p>}
      <ul>
        {found.map(({ node, depth }) => (
          <li key={node.id}>
            <button type="button" className={`outline-line ${depth > 0 && !text ? "deep" : ""}`} aria-current={selected.has(node.id) ? true : undefined} onClick={() => show(node.id)}>
              <span className="clip">{node.name}</span>
              <span className="faint clip">{node.disabled ? "disabled" : (types.get(node.type)?.title ?? node.type)}</span>
              {marks.has(node.id) && <span className={`dot tone-${marks.get(node.id)?.tone}`} role="img" aria-label={marks.get(node.id)?.words} title={marks.get(node.id)?.words} />}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
