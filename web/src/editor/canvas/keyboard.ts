// The keys of the editor. A key that is typed into a field is text; "g" and another key leads to another page.
import { useEffect, useRef } from "react";

import { keyOfNote } from "../../canvas/notes";
import { type Desk, useDesk } from "../desk";
import { combined, disableNodes, disconnect, moveNodes, removeNodes } from "../document/commands";
import { boxAround, boxesIn, groupAround, withMembers } from "../document/groups";
import { endsIn, keyOfEnds, nodeOf, type Point } from "../document/model";
import { addNotes, keysIn } from "../document/notes";
import { fragmentOf, pasted } from "../document/paste";
import { selectionOf } from "../store";
import { focusNewCard } from "./focus-card";
import { hasDialog, inField } from "./in-field";

const LEADER_MS = 1_500;
const NEAR = 10;
const FAR = 50;
const arrows: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export const keyWords: readonly (readonly [string, string])[] = [
  ["A", "Add a node beside the focused one"],
  ["C", "Connect the focused node"],
  ["Enter", "Open it"],
  ["Space", "Select it, or no longer"],
  ["Arrows", "Move what is selected; with Shift further"],
  ["Delete", "Delete what is selected"],
  ["D", "Disable or enable"],
  ["N", "Add a note"],
  ["Shift G", "Group what is selected: it then moves together"],
  ["Ctrl C, X, V", "Copy, cut and paste, also as text"],
  ["Ctrl D", "Duplicate"],
  ["Ctrl A", "Select all"],
  ["Ctrl Z, Ctrl Shift Z", "Undo and redo"],
  ["/", "Find a node"],
  ["Escape", "Back to the canvas"],
];

export function deleteSelected({ session: { store } }: Pick<Desk, "session">): void {
  const { document, selection } = store.state;
  const ends = endsIn(document).filter((connection) => selection.connections.has(keyOfEnds(connection)));
  store.act(combined(disconnect(...ends), removeNodes(selection.nodes)), { select: selectionOf([]) });
}

export function duplicateSelected({ session: { store }, types }: Pick<Desk, "session" | "types">): void {
  const { document, selection } = store.state;
  const box = boxAround([...boxesIn(document, types)].filter(([key]) => selection.nodes.has(key)).map(([, own]) => own));
  if (!box) return;
  const at: Point = [box.x + 40, box.y + 40];
  const { command, ids } = pasted(document, fragmentOf(document, selection.nodes), at, types);
  store.act(command, { select: selectionOf(ids) });
  focusNewCard(ids);
}

/** A frame around what is selected. */
export function groupSelected({ session: { store }, types }: Pick<Desk, "session" | "types">): void {
  const { document, selection } = store.state;
  const group = groupAround(document, types, selection.nodes);
  if (!group) return;
  store.act(addNotes([group]), { select: selectionOf([keyOfNote(group.id)]) });
  focusNewCard([keyOfNote(group.id)]);
}

export function switchSelected({ session: { store } }: Pick<Desk, "session">): void {
  const { document, selection } = store.state;
  const isOn = document.nodes.some(({ id, disabled }) => selection.nodes.has(id) && !disabled);
  store.act(disableNodes(selection.nodes, isOn));
}

/** Undo, redo and the like, wherever the focus is but in a field. True: the key was one of them. */
function pressWithControl(desk: Desk, event: KeyboardEvent): boolean {
  const { store } = desk.session;
  switch (event.key.toLowerCase()) {
    case "z":
      if (event.shiftKey) store.redo();
      else store.undo();
      return true;
    case "y":
      store.redo();
      return true;
    case "a":
      store.select(selectionOf(keysIn(store.state.document)));
      return true;
    case "d":
      duplicateSelected(desk);
      return true;
  }
  return false;
}

/** `focused`: the node whose card has the focus. */
function press(desk: Desk, event: KeyboardEvent, focused: string | undefined): boolean {
  const { store } = desk.session;
  const { document, selection } = store.state;
  const arrow = arrows[event.key];
  if (arrow) {
    const moved = selection.nodes.size > 0 ? selection.nodes : new Set(focused === undefined ? [] : [focused]);
    const step = event.shiftKey ? FAR : NEAR;
    const boxes = [...boxesIn(document, desk.types)].filter(([key]) => moved.has(key));
    const places = new Map(boxes.map(([key, { x, y }]): [string, Point] => [key, [x + arrow[0] * step, y + arrow[1] * step]]));
    store.act(moveNodes(withMembers(document, desk.types, places)), { key: "arrows" });
    return places.size > 0;
  }
  const own = focused ?? [...selection.nodes][0];
  switch (event.key) {
    case "Delete":
    case "Backspace":
      if (focused !== undefined && !selection.nodes.has(focused)) store.select(selectionOf([focused]));
      deleteSelected(desk);
      return true;
    case "Escape":
      store.select(selectionOf([]));
      return true;
    case " ": {
      if (focused === undefined) return false;
      const nodes = new Set(selection.nodes);
      if (!nodes.delete(focused)) nodes.add(focused);
      store.select(selectionOf(nodes));
      return true;
    }
    case "a":
      desk.askToAdd({});
      return true;
    case "c":
      if (nodeOf(document, own)) desk.askToConnect(own ?? "");
      return true;
    case "n":
      desk.addNote();
      return true;
    case "G":
      groupSelected(desk);
      return true;
    case "d":
      if (focused !== undefined && selection.nodes.size === 0) store.select(selectionOf([focused]));
      switchSelected(desk);
      return true;
    case "Enter":
      if (focused === undefined) return false;
      desk.show(focused, "");
      return true;
  }
  return false;
}

const changes = /^(Delete|Backspace|Arrow\w+|[acdnG])$/;

/** On the window: when the focused card is deleted, the focus is nowhere, and undo must work there, too. `find`: leads to the search for nodes. */
export function useKeys(find: () => void): void {
  const desk = useDesk();
  const leader = useRef(0);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || inField(event) || hasDialog() || event.altKey) return;
      const control = event.ctrlKey || event.metaKey;
      if (event.key === "g" && !control) leader.current = Date.now();
      else if (Date.now() - leader.current < LEADER_MS) return;
      if (event.key === "/" && !control) {
        event.preventDefault();
        return find();
      }
      if (desk.locked && (control ? /^[zyd]$/i : changes).test(event.key)) return;
      const target = event.target instanceof Element ? event.target : document.body;
      if (target.closest(".side")) return; // the menu of the console
      const focused = target.closest<HTMLElement>(".react-flow__node")?.dataset.id;
      const onCanvas = target.closest(".canvas") !== null || target === document.body || target.id === "main";
      const used = control ? pressWithControl(desk, event) : (onCanvas || /^[acdnG]$/.test(event.key)) && press(desk, event, focused);
      if (used) event.preventDefault();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [desk, find]);
}
