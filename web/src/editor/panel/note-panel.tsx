// The note that is selected: its words, its colour, and whether it is the frame of a group.
import { type KeyboardEvent, useEffect, useRef } from "react";

import { type DrawnNote, keyOfNote, type NoteColor, noteColors } from "../../canvas/notes";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { focusCard } from "../canvas/focus-card";
import { deleteSelected, duplicateSelected } from "../canvas/keyboard";
import { useDesk } from "../desk";
import { changeNote } from "../document/notes";
import type { FocusRequest } from "./focus-in";

export function NotePanel({ note, focus, onFocused }: { note: DrawnNote; focus: FocusRequest | undefined; onFocused: () => void }) {
  const desk = useDesk();
  const { session, locked } = desk;
  const text = useRef<HTMLTextAreaElement>(null);
  const key = keyOfNote(note.id);
  useEffect(() => {
    if (focus?.node !== key) return;
    text.current?.focus();
    onFocused();
  }, [focus, key, onFocused]);
  const set = (name: keyof DrawnNote, value: unknown) => session.store.act(changeNote(key, { [name]: value }), { key: `${key} ${name}` });
  return (
    <div className="node-panel" onKeyDown={(event: KeyboardEvent) => event.key === "Escape" && (event.stopPropagation(), focusCard(key))}>
      <h2>{note.group ? "Group" : "Note"}</h2>
      {!locked && (
        <div className="row">
          <Button onClick={() => duplicateSelected(desk)}>Duplicate</Button>
          <Button kind="danger" onClick={() => deleteSelected(desk)}>Delete</Button>
        </div>
      )}
      <fieldset disabled={locked !== undefined} className="plain-set">
        <div className="form">
          <Field label="Text" hint="For people. It changes nothing.">{(props) => <textarea ref={text} className="field" rows={8} {...props} value={note.text ?? ""} onChange={({ target }) => set("text", target.value)} />}</Field>
          <Field label="Colour">
            {(props) => (
              <select className="pick" {...props} value={note.color ?? "yellow"} onChange={({ target }) => set("color", target.value as NoteColor)}>
                {noteColors.map((color) => <option key={color}>{color}</option>)}
              </select>
            )}
          </Field>
          <label className="row"><input type="checkbox" className="check" checked={note.group === true} onChange={({ target }) => set("group", target.checked || undefined)} />Moves what lies within it</label>
        </div>
      </fieldset>
    </div>
  );
}
