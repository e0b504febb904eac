// What an editor has not saved yet, in the browser's own database: one entry for each flow and open editor. One that is
// opened later is offered what those left behind that are gone. Nothing of it is applied by itself.
import { parseJson, printJson } from "../../api/json";
import type { FlowDocument } from "../document/model";
import { presence } from "./presence";

export interface Kept {
  tab: string;
  at: Date;
  document: FlowDocument;
  /** What the server had, or may have had, when it was kept: the changes are those since. The likeliest comes first. */
  bases: readonly FlowDocument[];
}

interface Row {
  flow: string;
  tab: string;
  at: number;
  text: string;
  bases?: readonly string[];
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

export class Journal {
  private constructor(
    private readonly flow: string,
    private readonly tab: string,
  ) {}

  /** `signal`: the end of this editor. */
  static async open(flow: string, signal: AbortSignal): Promise<Journal> {
    const tab = Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join("");
    await presence().hold(lockOf(flow, tab), signal);
    return new Journal(flow, tab);
  }

  async keep(document: FlowDocument, bases: readonly FlowDocument[]): Promise<void> {
    const row: Row = { flow: this.flow, tab: this.tab, at: Date.now(), text: printJson(document), bases: bases.map((base) => printJson(base)) };
    await inStore("readwrite", (store) => store.put(row));
  }

  async drop(tab: string = this.tab): Promise<void> {
    await inStore("readwrite", (store) => store.delete([this.flow, tab]));
  }

  /** What editors left behind that are gone; the newest first. */
  async left(): Promise<Kept[]> {
    const range = IDBKeyRange.bound([this.flow], [this.flow, []]);
    const rows = ((await inStore("readonly", (store) => store.getAll(range))) ?? []) as Row[];
    const alive = await presence().held();
    return rows
      .filter(({ tab }) => !alive.has(lockOf(this.flow, tab)))
      .map(({ tab, at, text, bases = [] }) => ({ tab, at: new Date(at), document: parseJson(text) as FlowDocument, bases: bases.map((base) => parseJson(base) as FlowDocument) }))
      .sort((one, other) => other.at.getTime() - one.at.getTime());
  }
}
