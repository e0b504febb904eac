// Groups: notes that are frames. What lies within a frame moves with it. Pure.
import { type DrawnNote, keyOfNote, notesIn } from "../../canvas/notes";
import type { NodeTypes } from "../../canvas/ports";
import type { Command } from "./commands";
import type { FlowDocument, Point } from "./model";
import { type Box, changeNotes, newNote } from "./notes";
import { sizeOf } from "./places";

const PADDING = 30;
const HEAD = 44; // for the words of a group

const framed = ({ x, y, width, height }: Box): Box => ({ x: x - PADDING, y: y - PADDING - HEAD, width: width + 2 * PADDING, height: height + 2 * PADDING + HEAD });

/** Where each node and note is. */
export function boxesIn(document: FlowDocument, types: NodeTypes): Map<string, Box> {
  const nodes = document.nodes.map((node): [string, Box] => {
    const [x, y] = node.position ?? [0, 0];
    return [node.id, { x, y, ...sizeOf(document, types, node) }];
  });
  return new Map([...nodes, ...notesIn(document).map(({ id, x, y, width, height }): [string, Box] => [keyOfNote(id), { x, y, width, height }])]);
}

export function boxAround(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined;
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  return { x, y, width: Math.max(...boxes.map((box) => box.x + box.width)) - x, height: Math.max(...boxes.map((box) => box.y + box.height)) - y };
}

/** A frame around them; undefined where there is nothing to group. */
export function groupAround(document: FlowDocument, types: NodeTypes, keys: ReadonlySet<string>): DrawnNote | undefined {
  const box = boxAround([...boxesIn(document, types)].filter(([key]) => keys.has(key)).map(([, own]) => own));
  return box && newNote(document, framed(box), { text: "Group", group: true });
}

/** The nodes and notes whose middles are in the frame of a group. */
export function membersOf(boxes: ReadonlyMap<string, Box>, key: string): string[] {
  const frame = boxes.get(key);
  if (!frame) return [];
  const isIn = ({ x, y, width, height }: Box) => {
    const [across, down] = [x + width / 2 - frame.x, y + height / 2 - frame.y];
    return across > 0 && across < frame.width && down > 0 && down < frame.height;
  };
  return [...boxes].filter(([own, box]) => own !== key && isIn(box)).map(([own]) => own);
}

/** With all that the moved groups take along. `places`: where nodes and notes go. */
export function withMembers(document: FlowDocument, types: NodeTypes, places: ReadonlyMap<string, Point>): ReadonlyMap<string, Point> {
  const groups = notesIn(document).filter(({ id, group }) => group && places.has(keyOfNote(id)));
  if (groups.length === 0) return places;
  const boxes = boxesIn(document, types);
  const moved = new Map(places);
  for (const { id, x, y } of groups) {
    const place = places.get(keyOfNote(id)) ?? [x, y];
    for (const member of membersOf(boxes, keyOfNote(id))) {
      const box = boxes.get(member);
      if (box && !moved.has(member)) moved.set(member, [box.x + place[0] - x, box.y + place[1] - y]);
    }
  }
  return moved;
}

/** Frames around what they had, which another command has moved. */
export const refitted = (before: FlowDocument, types: NodeTypes): Command => (document) => {
  const [old, boxes] = [boxesIn(before, types), boxesIn(document, types)];
  return changeNotes(document, (note) => {
    if (!note.group) return note;
    const box = boxAround(membersOf(old, keyOfNote(note.id)).filter((key) => before.nodes.some(({ id }) => id === key)).flatMap((key) => boxes.get(key) ?? []));
    return box ? { ...note, ...framed(box) } : note;
  });
};
