// A list of types to choose one from by keyboard: for a new node beside another one, or at a connection's end.
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";

import { type AddRequest, useDesk, useDocument } from "../desk";
import { fits } from "../document/addition";
import { groupsOf, plainText } from "./type-list";

export function AddDialog({ request, onClose }: { request: AddRequest; onClose: () => void }) {
  const { types, add } = useDesk();
  const document = useDocument();
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  const [search, setSearch] = useState("");
  const [place, setPlace] = useState(0);
  const { port } = request;
  const groups = useMemo(() => groupsOf(types, search, port && ((type) => fits(document, types, type, port))), [types, search, port, document]);
  const all = groups.flatMap(({ types: own }) => own);
  const active = all[Math.min(place, all.length - 1)];
  useEffect(() => {
    if (!element.current?.open) element.current?.showModal();
  }, []);
  useEffect(() => {
    element.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const choose = (type: typeof active) => {
    if (!type) return;
    onClose();
    add(type, request);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setPlace((Math.min(place, all.length - 1) + step + all.length) % Math.max(all.length, 1));
    else if (event.key === "Enter") choose(active);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={element} className="dialog add-dialog" aria-label="Add a node" onClose={onClose} onClick={(event) => event.target === event.currentTarget && onClose()}>
      <input
        className="field"
        placeholder={port ? "Find a type that fits" : "Find a type"}
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={active && `${id}-${active.name}`}
        aria-label="Find a type of node"
        autoFocus
        value={search}
        onKeyDown={press}
        onChange={(event) => {
          setSearch(event.target.value);
          setPlace(0);
        }}
      />
      <div className="add-list" role="listbox" id={id} aria-label="Types of nodes" tabIndex={-1}>
        {groups.map(({ title, types: own }) => (
          <div key={title} role="group" aria-label={title}>
            <div className="add-group" role="presentation">{title}</div>
            {own.map((type) => (
              <div key={type.name} id={`${id}-${type.name}`} className="add-option" role="option" aria-selected={type === active} onClick={() => choose(type)}>
                <strong>{type.title}</strong>
                <span className="soft">{plainText(type.description)}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
      {all.length === 0 && <p className="soft add-none">No type matches.</p>}
    </dialog>
  );
}
