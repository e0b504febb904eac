// Files on their way to collections, one after the other. They go on while the person looks at another page.
import { post } from "../api/client";
import { reasonsOf } from "../api/problem";
import { makeStore } from "../ui/store";
import type { Document } from "./queries";
import { refusalOfFile } from "./words";

export interface Upload {
  id: number;
  collection: string;
  /** Of the document: a replacement may have another file name. */
  name: string;
  file: Blob;
  /** An object as JSON. */
  metadata: string | undefined;
  state: "waiting" | "sending" | "added" | "unchanged" | "failed";
  why?: string;
  /** The document that it became. */
  document?: Document["id"];
}

type Sent = Pick<Document, "id" | "unchanged">;

/** For a large file over a slow line. */
const DEADLINE_MS = 15 * 60_000;

async function sendFile({ collection, name, file, metadata }: Upload): Promise<Sent> {
  const refusal = refusalOfFile(file);
  if (refusal !== undefined) throw new Error(refusal); // a server ends the connection in the middle of a file that is too large
  return post("/api/v1/collections/{name}/documents", file, { params: { name: collection }, query: { name, metadata }, deadline: DEADLINE_MS });
}

function reasonOf(error: unknown): string {
  const { words, mistakes } = reasonsOf(error);
  return [words, ...mistakes].filter(Boolean).join(" ");
}

/** `onSent` is called after each file, whatever became of it. */
export function makeUploads(onSent: () => void, send: (upload: Upload) => Promise<Sent> = sendFile) {
  const store = makeStore<readonly Upload[]>([]);
  let count = 0;
  let busy = false;
  const change = (id: number, changes: Partial<Upload>) => store.set(store.get().map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));
  const run = async () => {
    if (busy) return;
    busy = true;
    for (let next = first(); next; next = first()) {
      const { id } = next;
      change(id, { state: "sending" });
      await send(next).then(
        ({ id: document, unchanged }) => change(id, { state: unchanged ? "unchanged" : "added", document }),
        (error: unknown) => change(id, { state: "failed", why: reasonOf(error) }),
      );
      onSent();
    }
    busy = false;
  };
  const first = () => store.get().find(({ state }) => state === "waiting");
  return {
    all: store.get,
    use: store.use,
    add(collection: string, files: readonly { name: string; file: Blob }[], metadata: string | undefined): Promise<void> {
      const added = files.map((file): Upload => ({ ...file, id: (count += 1), collection, metadata, state: "waiting" }));
      store.set([...store.get(), ...added]);
      return run();
    },
    /** Those that failed. */
    retry(collection: string): Promise<void> {
      store.set(store.get().map((upload) => (upload.collection === collection && upload.state === "failed" ? { ...upload, state: "waiting" } : upload)));
      return run();
    },
    /** Those that are over. */
    clear(collection: string): void {
      store.set(store.get().filter((upload) => upload.collection !== collection || upload.state === "waiting" || upload.state === "sending"));
    },
  };
}
