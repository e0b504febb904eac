// The one store of an open editor: the exact document, what is selected, and what can be undone. Everything that the
// page shows is derived from it.
import { useSyncExternalStore } from "react";

import type { Command } from "./document/commands";
import { type Ends, type FlowDocument, keyOfEnds } from "./document/model";
import { keysIn } from "./document/notes";
import { begun, changed, type History, redone, undone } from "./history";

export interface Selection {
  readonly nodes: ReadonlySet<string>; // ids, and keys of notes
  readonly connections: ReadonlySet<string>; // keys of their ends
}

interface Snapshot {
  readonly document: FlowDocument;
  readonly selection: Selection;
}

export interface EditorState {
  readonly document: FlowDocument;
  readonly selection: Selection;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

export const nothing: Selection = { nodes: new Set(), connections: new Set() };

export const selectionOf = (nodes: Iterable<string>, connections: Iterable<Ends> = []): Selection => ({ nodes: new Set(nodes), connections: new Set([...connections].map(keyOfEnds)) });

const isEqualSet = (one: ReadonlySet<string>, other: ReadonlySet<string>) => one.size === other.size && [...one].every((each) => other.has(each));

export class EditorStore {
  private history: History<Snapshot>;
  private watchers = new Set<() => void>();
  state: EditorState;

  constructor(
    document: FlowDocument,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.history = begun({ document, selection: nothing });
    this.state = this.shown();
  }

  subscribe = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  /** `key`: changes that are one step of undo where they follow each other. `select`: what is selected then. */
  act(command: Command, { key, select }: { key?: string; select?: Selection } = {}): void {
    const { document, selection } = this.history.present;
    const next = command(document);
    if (next === document) {
      if (select) this.select(select);
      return;
    }
    const remaining = keysIn(next);
    const own = select ?? { nodes: new Set([...selection.nodes].filter((id) => remaining.has(id))), connections: selection.connections };
    this.move(changed(this.history, { document: next, selection: own }, key, this.now()));
  }

  /** What is selected is no step of undo by itself. */
  select(selection: Selection): void {
    const { present } = this.history;
    if (isEqualSet(present.selection.nodes, selection.nodes) && isEqualSet(present.selection.connections, selection.connections)) return;
    this.move({ ...this.history, present: { ...present, selection } });
  }

  undo = (): void => this.move(undone(this.history));
  redo = (): void => this.move(redone(this.history));

  private move(history: History<Snapshot>): void {
    if (history === this.history) return;
    this.history = history;
    this.state = this.shown();
    for (const watcher of this.watchers) watcher();
  }

  private shown(): EditorState {
    const { past, present, future } = this.history;
    return { ...present, canUndo: past.length > 0, canRedo: future.length > 0 };
  }
}

/** `pick` returns the same value where nothing that it reads has changed. */
export const useEditor = <Value>(store: EditorStore, pick: (state: EditorState) => Value): Value => useSyncExternalStore(store.subscribe, () => pick(store.state));
