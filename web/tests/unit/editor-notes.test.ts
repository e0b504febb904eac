import { describe, expect, it } from "vitest";

import { drawingOf } from "../../src/canvas/drawing";
import { keyOfNote, notesIn, noteToCanvas, usualNote } from "../../src/canvas/notes";
import { combined, moveNodes, removeNodes } from "../../src/editor/document/commands";
import { boxesIn, groupAround, membersOf, refitted, withMembers } from "../../src/editor/document/groups";
import type { FlowDocument } from "../../src/editor/document/model";
import { addNotes, changeNote, keysIn, newNote, noteOf } from "../../src/editor/document/notes";
import { fragmentIn, fragmentOf, pasted, textOf } from "../../src/editor/document/paste";
import { EditorStore, selectionOf } from "../../src/editor/store";

const types = new Map();
const node = (id: string, position: readonly [number, number]) => ({ id, name: id.toUpperCase(), type: "set", position });
const frame = { id: "group", text: "Group", group: true, x: -30, y: -74, width: 560, height: 218 };
const flow: FlowDocument = { name: "f", nodes: [node("a", [0, 0]), node("b", [280, 0]), node("c", [900, 0])], notes: [frame, { id: "n", text: "Look", x: 40, y: 10, color: "blue" }, { id: 7 }] };
const [group, note] = [keyOfNote("group"), keyOfNote("n")];

describe("notes", () => {
  it("of a document are those that can be drawn, with a size", () => expect(notesIn(flow).map(({ id, width, height }) => [id, width, height])).toEqual([["group", 560, 218], ["n", usualNote.width, usualNote.height]]));
  it("are a part of its drawing, below the nodes, and frames below notes", () => {
    expect(drawingOf(flow).notes).toEqual(notesIn(flow));
    expect(notesIn(flow).map((note) => noteToCanvas(note, true, false).zIndex)).toEqual([-2, -1]);
  });
  it("are added with ids of their own", () => expect(addNotes([newNote(flow, { x: 1.4, y: 2.6 })])({ ...flow, notes: [{ id: "note", x: 0, y: 0 }] }).notes).toEqual([{ id: "note", x: 0, y: 0 }, { id: "note", text: "", x: 1, y: 3 }]));
  it("are changed by themselves, and what is no note stays", () => {
    const next = changeNote(note, { text: "Other", color: undefined, width: 300 })(flow);
    expect(noteOf(next, note)).toEqual({ id: "n", text: "Other", x: 40, y: 10, width: 300, height: usualNote.height });
    expect((next.notes as unknown[])[0]).toBe(frame);
    expect((next.notes as unknown[])[2]).toBe((flow.notes as unknown[])[2]);
  });
  it("change nothing where they are the same", () => {
    expect(changeNote(note, { text: "Look" })(flow)).toBe(flow);
    expect(moveNodes(new Map([[note, [40, 10] as const]]))(flow)).toBe(flow);
    expect(removeNodes(new Set(["note:gone"]))(flow)).toBe(flow);
  });
  it("move and go by their keys, with nodes", () => {
    const moved = moveNodes(new Map([[note, [5, 6] as const], ["a", [1, 2] as const]]))(flow);
    expect([noteOf(moved, note)?.x, noteOf(moved, note)?.y, moved.nodes[0]?.position]).toEqual([5, 6, [1, 2]]);
    const gone = removeNodes(new Set([note, group, "a"]))(flow);
    expect([gone.notes, gone.nodes.length]).toEqual([[{ id: 7 }], 2]);
  });
  it("that are the last leave no list", () => expect(removeNodes(new Set([keyOfNote("n")]))({ name: "f", nodes: [], notes: [{ id: "n", x: 0, y: 0 }] })).toEqual({ name: "f", nodes: [] }));
  it("are copied and pasted with what they stand by", () => {
    const fragment = fragmentIn(textOf(fragmentOf(flow, new Set(["a", note]))));
    expect(fragment).toBeDefined();
    if (!fragment) return;
    const { command, ids } = pasted(flow, fragment, [100, 100]);
    const next = command(flow);
    expect([...ids]).toEqual(["a_2", "note:n_2"]);
    expect(next.nodes.at(-1)?.position).toEqual([100, 100]);
    expect(noteOf(next, "note:n_2")).toMatchObject({ text: "Look", x: 140, y: 110, color: "blue" });
  });
  it("alone are a fragment, too", () => expect(fragmentIn('{"nodes": [], "notes": [{"id": "n", "x": 1, "y": 2}]}')).toBeDefined());
  it("stay selected like nodes, and undo brings them back", () => {
    const store = new EditorStore(flow);
    store.select(selectionOf(keysIn(flow)));
    store.act(removeNodes(new Set([note])));
    expect([...store.state.selection.nodes]).toEqual(["a", "b", "c", group]);
    store.undo();
    expect(noteOf(store.state.document, note)?.text).toBe("Look");
  });
});

describe("a group", () => {
  it("is a frame around what is selected", () => expect(groupAround({ ...flow, notes: [] }, types, new Set(["a", "b"]))).toEqual({ id: "note", text: "Group", group: true, x: -30, y: -74, width: 560, height: 188 }));
  it("is around something", () => expect(groupAround(flow, types, new Set())).toBeUndefined());
  it("has what lies within it", () => expect(membersOf(boxesIn(flow, types), group)).toEqual(["a", "b", note]));
  it("takes it along", () => expect(Object.fromEntries(withMembers(flow, types, new Map([[group, [-20, -64] as const]])))).toEqual({ [group]: [-20, -64], a: [10, 10], b: [290, 10], [note]: [50, 20] }));
  it("takes nothing along that is moved by itself", () => expect(withMembers(flow, types, new Map([[group, [-20, -64] as const], ["a", [7, 7] as const]])).get("a")).toEqual([7, 7]));
  it("that is no group moves alone", () => expect([...withMembers(flow, types, new Map([[note, [0, 0] as const]])).keys()]).toEqual([note]));
  it("is around its nodes again when they are laid out anew", () => {
    const next = combined(moveNodes(new Map([["a", [500, 500] as const], ["b", [780, 500] as const]])), refitted(flow, types))(flow);
    expect(noteOf(next, group)).toMatchObject({ x: 470, y: 426, width: 560, height: 188 });
  });
});
