// One open editor of one draft: its store, what saves it, and what keeps its changes in the browser. Made when the draft
// was read; nothing that the server says later replaces the document.
import { addressOf, send } from "../api/client";
import { parseJson } from "../api/json";
import { readFlow } from "../flows/queries";
import { type FlowDocument, documentOf, isSame } from "./document/model";
import { Journal, type Kept } from "./saving/journal";
import { type Draft, type Outside, Saver } from "./saving/saver";
import { EditorStore } from "./store";

const tagOf = ({ headers }: Response) => headers.get("ETag")?.replace(/^W\//, "") ?? "*";

export async function readDraft(name: string, signal?: AbortSignal): Promise<Draft> {
  const { document, tag } = await readFlow(name, signal);
  const drawn = documentOf(document);
  if (!drawn) throw new Error("The draft is no document that can be drawn. Import it again, or restore a version.");
  return { document: drawn, tag };
}

const outsideOf = (name: string): Outside => ({
  async put(document, tag) {
    const answer = await send("PUT", addressOf("/api/v1/flows/{name}", { params: { name } }), document, { headers: { "If-Match": tag } });
    await answer.text();
    return tagOf(answer);
  },
  read: () => readDraft(name),
  later(run, milliseconds) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
});

/** Makes a flow of its own of a document. Returns its name. */
export async function saveAsNew(document: FlowDocument, name: string): Promise<string> {
  const answer = await send("POST", "/api/v1/flows", { ...document, name });
  return (parseJson(await answer.text()) as { name: string }).name;
}

const KEEP_MS = 250;

export class Session {
  readonly store: EditorStore;
  readonly saver: Saver;
  private readonly journal: Promise<Journal>;
  private begin: (journal: Promise<Journal>) => void = () => undefined;
  private abandoned = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly name: string,
    draft: Draft,
    /** The draft with places for all nodes, where it has none for some. It is saved with the first change. */
    shown: FlowDocument = draft.document,
  ) {
    this.journal = new Promise((resolve) => (this.begin = resolve)); // what asks for it may mount before it is opened
    this.store = new EditorStore(shown);
    this.saver = new Saver({ document: shown, tag: draft.tag }, outsideOf(name));
  }

  /** Begins to save and to keep. Returns what ends that; changes that are not saved yet are sent once more. */
  start(): () => void {
    const ending = new AbortController();
    this.begin(Journal.open(this.name, ending.signal));
    const ends = [
      this.store.subscribe(() => {
        this.saver.change(this.store.state.document);
        this.keepSoon();
      }),
      this.saver.subscribe(() => this.keepSoon()),
    ];
    const last = async () => {
      await this.keep();
      if (!this.abandoned) await this.saver.flush();
      await this.keep();
      ends.forEach((end) => end());
      this.saver.close();
      ending.abort();
    };
    return () => void last();
  }

  /** What editors left behind that are gone, and what is not in the draft. */
  async left(): Promise<Kept[]> {
    const kept = await (await this.journal).left();
    const { document } = this.store.state;
    for (const each of kept) if (isSame(each.document, document)) await this.forget(each.tab);
    return kept.filter((each) => !isSame(each.document, document));
  }

  async forget(tab: string): Promise<void> {
    await (await this.journal).drop(tab);
  }

  /** The document went elsewhere: nothing of it is saved or kept here any more. */
  abandon(): void {
    this.abandoned = true;
  }

  private keepSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.keep(), KEEP_MS);
  }

  /** At once, where the page may end. */
  keep = async (): Promise<void> => {
    clearTimeout(this.timer);
    const journal = await this.journal;
    if (this.saver.dirty && !this.abandoned) await journal.keep(this.store.state.document, this.saver.bases);
    else await journal.drop();
  };
}
