// Notes beside the nodes of a flow, as a drawing knows them. Pure.
import type { Node } from "@xyflow/react";

export const noteColors = ["yellow", "orange", "red", "green", "blue", "purple", "gray"] as const;
export type NoteColor = (typeof noteColors)[number];

export interface DrawnNote {
  readonly id: string;
  readonly text?: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly color?: NoteColor;
  /** A frame: what lies within it moves with it. */
  readonly group?: boolean;
}

export type NoteData = { text: string; color: NoteColor; group: boolean; editable: boolean } & Record<string, unknown>;
export type NoteNode = Node<NoteData, "note">;

export const usualNote = { width: 240, height: 160 };

/** No id of a node has a colon. */
export const keyOfNote = (id: string): string => `note:${id}`;

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const drawnNotes = new WeakMap<object, DrawnNote>();

function noteIn(value: unknown): DrawnNote | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const present = drawnNotes.get(value);
  if (present) return present;
  const note = value as Record<string, unknown>;
  if (typeof note.id !== "string" || !isNumber(note.x) || !isNumber(note.y)) return undefined;
  const isSized = isNumber(note.width) && note.width > 0 && isNumber(note.height) && note.height > 0;
  const drawn = (isSized ? note : { ...usualNote, ...note, width: isNumber(note.width) && note.width > 0 ? note.width : usualNote.width, height: isNumber(note.height) && note.height > 0 ? note.height : usualNote.height }) as unknown as DrawnNote;
  drawnNotes.set(value, drawn);
  return drawn;
}

/** Those of a document that can be drawn, each with a size. */
export function notesIn(document: object): DrawnNote[] {
  const { notes } = document as { notes?: unknown };
  return Array.isArray(notes) ? notes.flatMap((note: unknown) => noteIn(note) ?? []) : [];
}

/** Frames lie below notes, and both below nodes. */
export const noteToCanvas = ({ id, text = "", x, y, width, height, color = "yellow", group = false }: DrawnNote, editable: boolean, selected: boolean): NoteNode => ({
  id: keyOfNote(id),
  type: "note",
  position: { x, y },
  width,
  height,
  measured: { width, height },
  handles: [],
  zIndex: group ? -2 : -1,
  connectable: false,
  data: { text: typeof text === "string" ? text : "", color: noteColors.includes(color) ? color : "yellow", group: group === true, editable },
  selected,
  ariaLabel: `${group ? "Group" : "Note"}: ${String(text).slice(0, 80)}`,
});
