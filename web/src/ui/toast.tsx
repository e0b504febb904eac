// Short notes about what a click did. Failures stay until they are closed.
import { useEffect } from "react";

import { makeStore } from "./store";

interface Toast {
  id: number;
  text: string;
  bad: boolean;
}

const toasts = makeStore<readonly Toast[]>([]);
let count = 0;

export function toast(text: string, bad = false): void {
  count += 1;
  toasts.set([...toasts.get().slice(-3), { id: count, text, bad }]);
}

const close = (id: number) => toasts.set(toasts.get().filter((other) => other.id !== id));

function Line({ id, text, bad }: Toast) {
  useEffect(() => {
    if (bad) return;
    const timer = setTimeout(() => close(id), 5_000);
    return () => clearTimeout(timer);
  }, [id, bad]);
  return (
    <div className={`toast ${bad ? "tone-bad" : ""}`}>
      <span>{text}</span>
      <button type="button" className="spread" aria-label="Close the note" onClick={() => close(id)}>
        ✕
      </button>
    </div>
  );
}

export function Toasts() {
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.use().map((note) => (
        <Line key={note.id} {...note} />
      ))}
    </div>
  );
}
