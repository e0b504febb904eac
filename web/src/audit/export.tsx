import { useState } from "react";

import { get } from "../api/client";
import { useRefusal } from "../api/me";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { plural } from "../ui/numbers";
import { saveFile } from "../ui/save";
import { useClosed } from "../ui/use-closed";
import { exportAll } from "./export-all";

function ExportDialog({ onClose }: { onClose: () => void }) {
  const [read, setRead] = useState<number>();
  const closed = useClosed();
  const save = async () => {
    const ask = (cursor: string | undefined) => get("/api/v1/audit/export", { query: { cursor, limit: 1000 } });
    let file = new Blob([], { type: "application/jsonl" }); // browsers keep large ones on the disk
    const add = (lines: string, count: number) => {
      file = new Blob([file, lines], { type: file.type });
      setRead(count);
    };
    if (await exportAll(ask, add, () => closed.current)) saveFile("audit.jsonl", file.type, [file]);
  };
  return (
    <Dialog title="Export the audit" act="Export" onAct={save} onClose={onClose}>
      <p className="soft">Saves all rows, chain by chain, one JSON object in each line. The file has the stored texts, too.</p>
      {read !== undefined && <p role="status">{plural(read, "row")} read…</p>}
    </Dialog>
  );
}

export function Export() {
  const refusal = useRefusal();
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button refusal={refusal} onClick={() => setAsked(true)}>Export</Button>
      {asked && <ExportDialog onClose={() => setAsked(false)} />}
    </>
  );
}
