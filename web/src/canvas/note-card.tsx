// A note or the frame of a group on a canvas: its words as they are written, with no markup.
import type { NodeProps } from "@xyflow/react";
import { type CSSProperties, memo, type ReactNode } from "react";

import type { NoteData, NoteNode } from "./notes";

export function NoteBox({ note: { text, color, group }, style, children }: { note: NoteData; style?: CSSProperties; children?: ReactNode }) {
  return (
    <div className={`note ${group ? "frame" : ""}`} data-color={color} style={style}>
      <p className="note-text">{text || (group ? "Group" : "An empty note")}</p>
      {children}
    </div>
  );
}

export const NoteCard = memo(function NoteCard({ data }: NodeProps<NoteNode>) {
  return <NoteBox note={data} />;
});
