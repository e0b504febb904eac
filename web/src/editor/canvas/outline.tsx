// All nodes as a list, parts below the node that has them: for the keyboard, for screen readers, and to find one.
import { type MouseEvent, useMemo, useState } from "react";

import { keyOfNote, notesIn } from "../../canvas/notes";
import { LongList } from "../../ui/long-list";
import { useDesk, useDocument, useSelection } from "../desk";
import { endsIn, type FlowDocument, type FlowNode } from "../document/model";
import { focusNewCard } from "./focus-card";

const LINE = 46; // in pixels

interface Line {
  node: FlowNode;
  depth: number;
}

/** Nodes in the document's order; a part follows the first node that has it. */
export function linesOf(document: FlowDocument): Line[] {
  const ends = endsIn(document).filter(({ type }) => type !== "main");
  const owners = new Map([...ends].reverse().map(({ from, to }) => [from, to]));
  const lines: Line[] = [];
  const shown = new Set<string>();
  const owned = new Map<string, FlowNode[]>();
  for (const node of document.nodes) {
    const owner = owners.get(node.id);
    if (owner !== undefined) owned.set(owner, [...(owned.get(owner) ?? []), node]);
  }
  const show = (node: FlowNode, depth: number) => {
    if (shown.has(node.id)) return;
    shown.add(node.id);
    lines.push({ node, depth });
    for (const other of owned.get(node.id) ?? []) show(other, depth + 1);
  };
  for (const node of document.nodes) if (!owners.has(node.id)) show(node, 0);
  for (const node of document.nodes) show(node, 0); // parts that hang on each other
  return lines;
}

/** Of what a search found: the node that it names, else one whose name begins so, else the first. */
export function bestOf(lines: readonly Line[], text: string): FlowNode | undefined {
  const names = lines.map(({ node }) => node.name.toLowerCase());
  const places = [names.indexOf(text), names.findIndex((name) => name.startsWith(text)), 0];
  return lines[places.find((place) => place >= 0) ?? 0]?.node;
}

export function Outline() {
  const { types, marks, show } = useDesk();
  const document = useDocument();
  const { nodes: selected } = useSelection();
  const [search, setSearch] = useState("");
  const lines = useMemo(() => linesOf(document), [document]);
  const text = search.trim().toLowerCase();
  const matching = text ? lines.filter(({ node }) => `${node.name} ${node.type} ${types.get(node.type)?.title ?? ""} ${JSON.stringify(node.parameters ?? {}, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value))}`.toLowerCase().includes(text)) : lines;
  const notes = notesIn(document).filter((note) => !text || (note.text ?? "").toLowerCase().includes(text));
  /** By keyboard: it goes on at the card. */
  const goTo = (key: string | undefined) => {
    if (key === undefined) return;
    show(key);
    focusNewCard([key]);
  };
  const choose = (key: string) => ({ detail }: MouseEvent) => (detail === 0 ? goTo(key) : show(key));
  return (
    <div className="outline" role="group" aria-label="Outline">
      <input type="search" className="field" data-search placeholder="Find a node or a text" aria-label="Find a node" value={search} onChange={(event) => setSearch(event.target.value)} onKeyDown={(event) => event.key === "Enter" && text && goTo(bestOf(matching, text)?.id)} />
      {matching.length + notes.length === 0 && <p className="faint">{text ? "No node matches." : "There are no nodes yet."}</p>}
      <div>
        <LongList label="Nodes" items={matching} keyOf={({ node }) => node.id} line={LINE}>
          {({ node, depth }) => (
            <button type="button" className={`outline-line ${depth > 0 && !text ? "deep" : ""}`} aria-current={selected.has(node.id) ? true : undefined} onClick={choose(node.id)}>
              <span className="clip">{node.name}</span>
              <span className="faint clip">{node.disabled ? "disabled" : (types.get(node.type)?.title ?? node.type)}</span>
              {marks.has(node.id) && <span className={`dot tone-${marks.get(node.id)?.tone}`} role="img" aria-label={marks.get(node.id)?.words} title={marks.get(node.id)?.words} />}
            </button>
          )}
        </LongList>
      </div>
      {notes.length > 0 && (
        <ul aria-label="Notes">
          {notes.map(({ id, text: words, group }) => (
            <li key={id}>
              <button type="button" className="outline-line" aria-current={selected.has(keyOfNote(id)) ? true : undefined} onClick={choose(keyOfNote(id))}>
                <span className="clip">{words || "An empty note"}</span>
                <span className="faint clip">{group ? "group" : "note"}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
