// Notes beside the nodes, for people. On the canvas and in a selection a note has its key, which is no node's id. Pure.
import { type DrawnNote, keyOfNote, notesIn } from "../../canvas/notes";
import { type FlowDocument, isSame, type Point } from "./model";
import { freeId } from "./names";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

type Change = (document: FlowDocument) => FlowDocument;

/** Notes that cannot be drawn stay as they are. */
export function changeNotes(document: FlowDocument, change: (note: DrawnNote) => DrawnNote | undefined): FlowDocument {
  if (!Array.isArray(document.notes)) return document;
  const before = document.notes as readonly unknown[];
  const notes = before.flatMap((raw): unknown[] => {
    const [note] = notesIn({ notes: [raw] });
    const next = note && change(note);
    if (!note || next === note) return [raw];
    return next ? [next] : [];
  });
  if (notes.length === before.length && notes.every((note, index) => note === before[index])) return document;
  const { notes: _notes, ...rest } = document;
  return (notes.length === 0 ? rest : { ...document, notes }) as FlowDocument;
}

export const noteOf = (document: FlowDocument, key: string | undefined): DrawnNote | undefined => notesIn(document).find(({ id }) => keyOfNote(id) === key);

export const addNotes = (notes: readonly DrawnNote[]): Change => (document) => (notes.length === 0 ? document : { ...document, notes: [...(Array.isArray(document.notes) ? (document.notes as unknown[]) : []), ...notes] });

/** Undefined takes a member away. */
export const changeNote = (key: string, changes: Partial<Record<keyof DrawnNote, unknown>>): Change => (document) =>
  changeNotes(document, (note) => {
    if (keyOfNote(note.id) !== key) return note;
    const next = Object.fromEntries(Object.entries({ ...note, ...changes }).filter(([, value]) => value !== undefined)) as unknown as DrawnNote;
    return isSame(next, note) ? note : next;
  });

export const moveNotes = (places: ReadonlyMap<string, Point>): Change => (document) =>
  changeNotes(document, (note) => {
    const [x, y] = (places.get(keyOfNote(note.id)) ?? [note.x, note.y]).map(Math.round) as [number, number];
    return places.has(keyOfNote(note.id)) && (x !== note.x || y !== note.y) ? { ...note, x, y } : note;
  });

export const removeNotes = (keys: ReadonlySet<string>): Change => (document) => changeNotes(document, (note) => (keys.has(keyOfNote(note.id)) ? undefined : note));

/** All that a selection may have: ids of nodes, and keys of notes. */
export const keysIn = (document: FlowDocument): Set<string> => new Set([...document.nodes.map(({ id }) => id), ...notesIn(document).map(({ id }) => keyOfNote(id))]);

export const takenNotes = (document: FlowDocument): Set<string> => new Set(notesIn(document).map(({ id }) => id));

export function newNote(document: FlowDocument, box: Partial<Box> & Pick<Box, "x" | "y">, more: Partial<DrawnNote> = {}): DrawnNote {
  const rounded = Object.fromEntries(Object.entries(box).map(([name, value]) => [name, Math.round(value)]));
  return { id: freeId("note", takenNotes(document)), text: "", ...more, ...rounded } as DrawnNote;
}
