import { useState } from "react";

import { useRefusal } from "../api/me";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { download } from "../ui/save";

function ExportDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Export the audit" act="Export" onAct={() => download("/api/v1/audit/export?format=jsonl&limit=1000", "audit.jsonl")} onClose={onClose}>
      <p className="soft">Saves all rows, chain by chain, one JSON object in each line. The file has the stored texts, too. The browser reports if the download breaks off.</p>
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
