// Short notes about what a click did. Failures stay until they are closed.
import { useEffect, useSyncExternalStore } from "react";

interface Toast {
  id: number;
  text: string;
  bad: boolean;
}

let toasts: readonly Toast[] = [];
let count = 0;
const watchers = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const watcher of watchers) watcher();
}

export function toast(text: string, bad = false): void {
  count += 1;
  change([...toasts.slice(-3), { id: count, text, bad }]);
}

const close = (id: number) => change(toasts.filter((other) => other.id !== id));

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
  const all = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => toasts,
  );
  return (
    <div className="toasts" role="status" aria-live="polite">
      {all.map((note) => (
        <Line key={note.id} {...note} />
      ))}
    </div>
  );
}
