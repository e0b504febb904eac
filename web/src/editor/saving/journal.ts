// What a tab has not saved yet, in the browser's own database: one entry for each flow and tab. A tab that is opened
// again is offered what tabs left behind that are gone. Nothing of it is applied by itself.
import { parseJson, printJson } from "../../api/json";
import type { FlowDocument } from "../document/model";

export interface Kept {
  tab: string;
  at: Date;
  document: FlowDocument;
}

interface Row {
  flow: string;
  tab: string;
  at: number;
  text: string;
}

const DATABASE = "postrider-editor";
const STORE = "journal";

const asPromise = <Value>(request: IDBRequest<Value>) =>
  new Promise<Value>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser's database failed"));
  });

async function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: ["flow", "tab"] });
  return asPromise(request);
}

/** A browser without the database, as in some private windows, keeps nothing. */
async function inStore<Value>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<Value>): Promise<Value | undefined> {
  try {
    const database = await opened();
    try {
      return await asPromise(act(database.transaction(STORE, mode).objectStore(STORE)));
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

const lockOf = (flow: string, tab: string) => `editor ${flow} ${tab}`;

/** Holds the lock until the signal: others see that the tab is alive. False: another tab has it. */
function heldLock(name: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const over = new Promise<void>((end) => signal.addEventListener("abort", () => end()));
    const hold = (lock: Lock | null) => {
      resolve(lock !== null);
      return lock ? over : undefined;
    };
    navigator.locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(true));
  });
}

/** A tab keeps its name when it is loaded again; one that was copied takes another. */
async function ownTab(flow: string, signal: AbortSignal): Promise<string> {
  const known = sessionStorage.getItem(DATABASE);
  if (known && (await heldLock(lockOf(flow, known), signal))) return known;
  const tab = Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join("");
  sessionStorage.setItem(DATABASE, tab);
  await heldLock(lockOf(flow, tab), signal);
  return tab;
}

export class Journal {
  private constructor(
    private readonly flow: string,
    private readonly tab: string,
  ) {}

  /** `signal`: the end of this editor. */
  static async open(flow: string, signal: AbortSignal): Promise<Journal> {
    return new Journal(flow, await ownTab(flow, signal));
  }

  async keep(document: FlowDocument): Promise<void> {
    const row: Row = { flow: this.flow, tab: this.tab, at: Date.now(), text: printJson(document) };
    await inStore("readwrite", (store) => store.put(row));
  }

  async drop(tab: string = this.tab): Promise<void> {
    await inStore("readwrite", (store) => store.delete([this.flow, tab]));
  }

  /** What tabs left behind that are gone, this one before it was loaded again included; the newest first. */
  async left(): Promise<Kept[]> {
    const range = IDBKeyRange.bound([this.flow], [this.flow, []]);
    const rows = ((await inStore("readonly", (store) => store.getAll(range))) ?? []) as Row[];
    const { held = [] } = await navigator.locks.query();
    const alive = new Set(held.map(({ name }) => name));
    return rows
      .filter(({ tab }) => tab === this.tab || !alive.has(lockOf(this.flow, tab)))
      .map(({ tab, at, text }) => ({ tab, at: new Date(at), document: parseJson(text) as FlowDocument }))
      .sort((one, other) => other.at.getTime() - one.at.getTime());
  }
}
