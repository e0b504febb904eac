// How documents come into a collection: files by drag and drop or from a dialog of the browser, and addresses.
import { useMutation } from "@tanstack/react-query";
import { type DragEvent, type FormEvent, useEffect, useRef, useState } from "react";

import { post } from "../api/client";
import { useRefusal } from "../api/me";
import { isOfMembers, mistakesOf } from "../api/problem";
import { Button } from "../ui/button";
import { Refusal } from "../ui/feedback";
import { Field } from "../ui/field";
import { Fold } from "../ui/fold";
import { Panel } from "../ui/page";
import { toast } from "../ui/toast";
import { MetadataField } from "./metadata";
import { type Metadata, readAgain } from "./queries";
import { Sending, uploads } from "./sending";
import { metadataOf, metadataParameter } from "./words";

const hasFiles = ({ dataTransfer }: { dataTransfer: DataTransfer | null }) => dataTransfer?.types.includes("Files") === true;

/** A file that misses the place for it would otherwise replace the page. */
function useNoStrayDrops(): void {
  useEffect(() => {
    const refuse = (event: globalThis.DragEvent) => {
      if (hasFiles(event) && !event.defaultPrevented) event.preventDefault();
    };
    window.addEventListener("dragover", refuse);
    window.addEventListener("drop", refuse);
    return () => {
      window.removeEventListener("dragover", refuse);
      window.removeEventListener("drop", refuse);
    };
  }, []);
}

/** A browser gives folders as files that cannot be read. */
function filesOf(transfer: DataTransfer): File[] {
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  const folders = items.filter((item) => item.webkitGetAsEntry()?.isDirectory).length;
  if (folders > 0) toast("A folder cannot be dropped here. Drop its files, or use `postrider knowledge add`, which takes folders.", true);
  return items.filter((item) => !item.webkitGetAsEntry()?.isDirectory).flatMap((item) => item.getAsFile() ?? []);
}

function Drop({ onFiles, refusal }: { onFiles: (files: readonly File[]) => void; refusal: string | undefined }) {
  const chooser = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  useNoStrayDrops();
  const enter = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = refusal === undefined ? "copy" : "none";
    setOver(refusal === undefined);
  };
  const drop = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setOver(false);
    if (refusal === undefined) onFiles(filesOf(event.dataTransfer));
    else toast(refusal, true);
  };
  return (
    <div className="drop" data-over={over || undefined} onDragEnter={enter} onDragOver={enter} onDragLeave={() => setOver(false)} onDrop={drop}>
      <p className="row">
        <span>Drop files here, or</span>
        <Button kind="main" refusal={refusal} onClick={() => chooser.current?.click()}>Choose files</Button>
      </p>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label="Files"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = ""; // the same file can be chosen again
        }}
      />
      <p className="faint">Text, Markdown, HTML, PDF, DOCX, EPUB and CSV. A file with the name of a document replaces it. Its old parts are found until the new ones are ready.</p>
    </div>
  );
}

function AddUrl({ collection, metadata, refusal }: { collection: string; metadata: () => Metadata | undefined; refusal: string | undefined }) {
  const [url, setUrl] = useState("");
  const add = useMutation({
    mutationFn: (own: Metadata) => post("/api/v1/collections/{name}/documents", { url: url.trim(), ...(metadataParameter(own) ? { metadata: own } : {}) }, { params: { name: collection } }),
    onSuccess: ({ unchanged }) => {
      toast(unchanged ? "The collection has it already." : "It is being read.");
      setUrl("");
    },
    onSettled: readAgain,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const own = metadata();
    if (refusal === undefined && !add.isPending && own) add.mutate(own);
  };
  return (
    <form className="one-line" onSubmit={submit}>
      <Field label="Address of a page or a file" mistake={mistakesOf(add.error).get("url")}>
        {(props) => <input className="field" type="url" required placeholder="https://…" {...props} value={url} onChange={({ target }) => setUrl(target.value)} />}
      </Field>
      <Button type="submit" refusal={refusal} disabled={add.isPending}>{add.isPending ? "Adding…" : "Add"}</Button>
      {add.error !== null && !isOfMembers(add.error, ["url"]) && <Refusal error={add.error} />}
    </form>
  );
}

export function AddDocuments({ collection }: { collection: string }) {
  const refusal = useRefusal();
  const [lines, setLines] = useState("");
  const [mistake, setMistake] = useState<string>();
  const metadata = (): Metadata | undefined => {
    try {
      setMistake(undefined);
      return metadataOf(lines);
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      setMistake(words);
      toast(`Nothing was added. Metadata: ${words}`, true);
      return undefined;
    }
  };
  const add = (files: readonly File[]) => {
    const own = metadata();
    if (own && files.length > 0) void uploads.add(collection, files.map((file) => ({ name: file.name, file })), metadataParameter(own));
  };
  return (
    <Panel title="Add documents">
      <Drop onFiles={add} refusal={refusal} />
      <AddUrl collection={collection} metadata={metadata} refusal={refusal} />
      <Fold summary="Metadata of what is added next">
        <MetadataField label="Metadata" value={lines} onChange={setLines} mistake={mistake} hint="One in each line: year: 2026. Searches can be limited to documents that have it." />
      </Fold>
      <Sending collection={collection} />
    </Panel>
  );
}
