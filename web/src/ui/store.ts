// A value of the tab that several parts of the page show. It is no copy of anything that the server has.
import { useSyncExternalStore } from "react";

export interface Store<Value> {
  get: () => Value;
  set: (next: Value) => void;
  /** The value, as a hook. */
  use: () => Value;
}

export function makeStore<Value>(value: Value): Store<Value> {
  const watchers = new Set<() => void>();
  const get = () => value;
  const set = (next: Value) => {
    value = next;
    for (const watcher of watchers) watcher();
  };
  const watch = (watcher: () => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  };
  return { get, set, use: () => useSyncExternalStore(watch, get, get) };
}
