// Saves the draft by itself. One PUT is in flight at a time; it carries the tag that is known when it is sent. Its
// answer never replaces the document: it only says what is saved. A failure is tried again for as long as the page is
// open. Another draft on the server stops saving until a person decides. A session that ended waits for the login.
import { Problem, wordsOf } from "../../api/problem";
import { type FlowDocument, isSame } from "../document/model";

export interface Draft {
  document: FlowDocument;
  tag: string;
}

export type Saving =
  | { kind: "saved" }
  | { kind: "waiting" } // for a pause in typing
  | { kind: "saving" }
  | { kind: "failing"; words: string } // and tries again
  | { kind: "refused"; words: string } // until the document changes
  | { kind: "signed_out" }
  | { kind: "conflict"; base: FlowDocument; theirs: Draft };

/** What the saver needs of the outside. */
export interface Outside {
  put: (document: FlowDocument, tag: string) => Promise<string>; // the new tag
  read: () => Promise<Draft>;
  /** Runs it after a time; returns what calls that off. */
  later: (run: () => void, milliseconds: number) => () => void;
}

export const PAUSE_MS = 700;
const MOST_BASES = 3;
export const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 30_000];

export class Saver {
  private saved: FlowDocument;
  private tag: string;
  private document: FlowDocument;
  private unanswered: FlowDocument[] = []; // sent, and what came of it is not known
  private failures = 0;
  private callOff: () => void = () => undefined;
  private running = false;
  private watchers = new Set<() => void>();
  state: Saving = { kind: "saved" };

  constructor(
    draft: Draft,
    private readonly outside: Outside,
  ) {
    ({ document: this.saved, tag: this.tag } = draft);
    this.document = this.saved;
  }

  subscribe = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  get dirty(): boolean {
    return this.document !== this.saved;
  }

  /** The tag of what is saved. */
  get savedTag(): string {
    return this.tag;
  }

  /** What the server has, as far as that is known: the last that it saved, then what it may have saved since. */
  get bases(): readonly FlowDocument[] {
    return [...new Set([this.saved, ...[...this.unanswered].reverse()])].slice(0, MOST_BASES);
  }

  change(document: FlowDocument): void {
    if (document === this.document) return;
    this.document = document;
    if (this.running || this.state.kind === "conflict" || this.state.kind === "signed_out") return;
    if (!this.dirty && this.unanswered.length === 0) return this.rest();
    if (this.state.kind !== "failing") this.wait("waiting", PAUSE_MS);
  }

  /** At once, such as before the draft is published. True: all of it is saved. */
  async flush(): Promise<boolean> {
    while (this.dirty && this.state.kind !== "conflict") {
      this.callOff();
      if (this.running) await new Promise<void>((resolve) => this.once(resolve));
      else await this.save();
      if (this.dirty && !this.running && this.state.kind !== "waiting" && this.state.kind !== "saving") return false;
    }
    return !this.dirty;
  }

  /** Somebody is signed in again. */
  resume(): void {
    if (this.state.kind === "signed_out") this.wait("waiting", 0);
  }

  /** A person decided: the document goes on from that draft of the server. */
  settle({ document, tag }: Draft): void {
    [this.saved, this.tag, this.unanswered] = [document, tag, []];
    if (this.dirty) this.wait("waiting", 0);
    else this.rest();
  }

  close(): void {
    this.callOff();
    this.watchers.clear();
  }

  private async save(): Promise<void> {
    if (this.running) return;
    const sent = this.document;
    this.running = true;
    this.tell({ kind: "saving" });
    try {
      this.unanswered.push(sent);
      const tag = await this.outside.put(sent, this.tag);
      this.take({ document: sent, tag });
    } catch (error) {
      await this.failed(error);
    } finally {
      this.running = false;
    }
    if (this.state.kind === "saving") {
      if (this.dirty) this.wait("waiting", PAUSE_MS);
      else this.rest();
    }
    for (const watcher of this.watchers) watcher();
  }

  private take({ document, tag }: Draft): void {
    [this.saved, this.tag, this.unanswered, this.failures] = [document, tag, [], 0];
  }

  private async failed(error: unknown): Promise<void> {
    const status = error instanceof Problem ? error.status : 0;
    if (status !== 0 && status < 500) this.unanswered.pop(); // it was answered: nothing was saved
    if (status === 401) return this.tell({ kind: "signed_out" });
    if (status === 412) return this.compare();
    const isTemporary = status === 0 || status === 408 || status === 429 || status >= 500;
    if (!isTemporary) return this.tell({ kind: "refused", words: wordsOf(error) });
    this.retry(error);
  }

  /** Another tag: somebody else saved, or our own PUT arrived and its answer did not. */
  private async compare(): Promise<void> {
    try {
      const theirs = await this.outside.read();
      const own = [...this.unanswered, this.saved, this.document].find((document) => isSame(document, theirs.document));
      if (own) this.take({ document: own, tag: theirs.tag });
      else this.tell({ kind: "conflict", base: this.saved, theirs });
    } catch (error) {
      if (error instanceof Problem && error.status === 401) this.tell({ kind: "signed_out" });
      else this.retry(error);
    }
  }

  private retry(error: unknown): void {
    const pause = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)] ?? 0;
    this.failures += 1;
    this.wait("failing", pause, wordsOf(error));
  }

  private rest(): void {
    this.callOff();
    this.tell({ kind: "saved" });
  }

  private wait(kind: "waiting" | "failing", milliseconds: number, words = ""): void {
    this.callOff();
    this.tell(kind === "waiting" ? { kind } : { kind, words });
    this.callOff = this.outside.later(() => void this.save(), milliseconds);
  }

  private once(run: () => void): void {
    const end = this.subscribe(() => {
      if (this.running) return;
      end();
      run();
    });
  }

  private tell(state: Saving): void {
    this.state = state;
    for (const watcher of this.watchers) watcher();
  }
}
