import { describe, expect, it } from "vitest";

import { connect, removeNodes, setParameter } from "../../src/editor/document/commands";
import type { FlowDocument } from "../../src/editor/document/model";
import { TOGETHER_MS } from "../../src/editor/history";
import { EditorStore, selectionOf } from "../../src/editor/store";

const document: FlowDocument = { name: "a", nodes: [{ id: "a", name: "A", type: "set" }, { id: "b", name: "B", type: "set" }], connections: [] };
const opened = () => {
  const clock = { now: 0 };
  const store = new EditorStore(document, () => clock.now);
  const text = () => store.state.document.nodes[0]?.parameters?.text;
  return { store, clock, text };
};

describe("the store", () => {
  it("undoes and redoes to the very same documents", () => {
    const { store } = opened();
    store.act(connect({ type: "main", from: "a", output: "main", to: "b", input: "main" }));
    const after = store.state.document;
    store.undo();
    expect(store.state.document).toBe(document);
    expect([store.state.canUndo, store.state.canRedo]).toEqual([false, true]);
    store.redo();
    expect(store.state.document).toBe(after);
  });

  it("takes typing in one field as one step until there is a pause", () => {
    const { store, clock, text } = opened();
    for (const words of ["h", "hi", "hi t"]) {
      store.act(setParameter("a", ["text"], words), { key: "a/text" });
      clock.now += 100;
    }
    clock.now += TOGETHER_MS;
    store.act(setParameter("a", ["text"], "hi there"), { key: "a/text" });
    store.undo();
    expect(text()).toBe("hi t");
    store.undo();
    expect(text()).toBeUndefined();
  });

  it("does not join fields, or what follows an undo", () => {
    const { store, text } = opened();
    store.act(setParameter("a", ["text"], "1"), { key: "a/text" });
    store.act(setParameter("a", ["other"], "1"), { key: "a/other" });
    store.undo();
    store.act(setParameter("a", ["text"], "2"), { key: "a/text" });
    expect(store.state.canRedo).toBe(false);
    store.undo();
    expect(text()).toBe("1");
  });

  it("brings back what was selected, and selects nothing that is gone", () => {
    const { store } = opened();
    store.select(selectionOf(["a", "b"]));
    store.act(removeNodes(new Set(["a"])));
    expect([...store.state.selection.nodes]).toEqual(["b"]);
    store.undo();
    expect([...store.state.selection.nodes]).toEqual(["a", "b"]);
  });

  it("tells nobody where nothing changed", () => {
    const { store } = opened();
    let told = 0;
    store.subscribe(() => (told += 1));
    store.act(removeNodes(new Set(["gone"])));
    store.select(selectionOf([]));
    store.undo();
    expect(told).toBe(0);
  });
});
