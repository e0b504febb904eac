// What the parts of an open editor share: the session, the types of nodes, and what they ask of each other.
import { createContext, useContext } from "react";

import type { Mark } from "../canvas/to-canvas";
import type { NodeType, NodeTypes } from "../canvas/ports";
import type { Imported } from "./canvas/imported-dialog";
import type { PlacedProblem } from "./problems/placed";
import type { Port } from "./document/addition";
import type { FlowDocument, Point } from "./document/model";
import { noteOf } from "./document/notes";
import type { Extent } from "./run/start";
import type { Session } from "./session";
import { type EditorState, useEditor } from "./store";

export interface AddRequest {
  at?: Point | undefined;
  port?: Port | undefined;
}

export interface Desk {
  session: Session;
  types: NodeTypes;
  /** Why nothing can be changed here; undefined where it can. */
  locked: string | undefined;
  problems: readonly PlacedProblem[];
  /** The validator has answered about a document. */
  checked: boolean;
  marks: ReadonlyMap<string, Mark>;
  /** Adds a node, selects it and brings it into sight. */
  add: (type: NodeType, request?: AddRequest) => void;
  /** Opens the list of types. */
  askToAdd: (request: AddRequest) => void;
  askToConnect: (node: string) => void;
  /** Says what is to be looked at in nodes that were pasted. */
  tellOfImport: (imported: Imported) => void;
  /** Opens the question before a run. */
  askToRun: (extent: Extent) => void;
  /** Adds an empty note in sight, and leads to its text. */
  addNote: () => void;
  /** Selects a node and brings it into sight, or FLOW nothing; `path`: the field that then has the focus. */
  show: (node: string, path?: string) => void;
}

const context = createContext<Desk | undefined>(undefined);
export const DeskProvider = context.Provider;

export function useDesk(): Desk {
  const desk = useContext(context);
  if (!desk) throw new Error("there is no open editor");
  return desk;
}

export function useDocument(): FlowDocument {
  return useEditor(useDesk().session.store, ({ document }) => document);
}

export const useSelection = () => useEditor(useDesk().session.store, ({ selection }: EditorState) => selection);

/** The note that alone is selected. */
export function useSelectedNote() {
  const document = useDocument();
  const { nodes } = useSelection();
  return nodes.size === 1 ? noteOf(document, [...nodes][0]) : undefined;
}

/** The node that alone is selected. */
export function useSelectedNode() {
  const document = useDocument();
  const { nodes } = useSelection();
  const [id] = nodes;
  return nodes.size === 1 ? document.nodes.find((node) => node.id === id) : undefined;
}
