// One key leads to one place. Keys that are typed into a field are text.
import { useEffect, useMemo, useState } from "react";
import { useLocation } from "wouter";

import { useMe } from "../api/me";
import { Dialog } from "../ui/dialog";
import { placesOf } from "../routes";

const inField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const PAUSE_MS = 1_500;

export function Shortcuts({ open, onChange }: { open: boolean; onChange: (open: boolean) => void }) {
  const [, navigate] = useLocation();
  const { data: me } = useMe();
  const own = useMemo(() => placesOf(me), [me]);
  const [leader, setLeader] = useState(0);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || inField(event.target) || document.querySelector("dialog[open]")) return;
      if (event.key === "?") onChange(true);
      else if (event.key === "g") setLeader(Date.now());
      else if (event.key === "/") {
        const search = document.querySelector<HTMLElement>("[data-search]");
        if (!search) return;
        event.preventDefault();
        search.focus();
      } else if (Date.now() - leader < PAUSE_MS) {
        const place = own.find(({ shortcut }) => shortcut === event.key);
        setLeader(0);
        if (place) navigate(place.path);
      }
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [leader, navigate, onChange, own]);
  if (!open) return null;
  return (
    <Dialog title="Keys" onClose={() => onChange(false)}>
      <dl className="shortcuts">
        {own.filter(({ shortcut }) => shortcut).map(({ path, title, shortcut }) => (
          <div key={path}>
            <dt>{title}</dt>
            <dd><kbd className="keys">g</kbd> <kbd className="keys">{shortcut}</kbd></dd>
          </div>
        ))}
        <div><dt>Filter this list</dt><dd><kbd className="keys">/</kbd></dd></div>
        <div><dt>These keys</dt><dd><kbd className="keys">?</kbd></dd></div>
      </dl>
    </Dialog>
  );
}
