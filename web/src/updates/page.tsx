import type { Schema } from "../api/client";
import { useKeyset } from "../ui/keyset-list";
import { List } from "../ui/list";
import { countText } from "../ui/numbers";
import { Page } from "../ui/page";
import type { Column } from "../ui/table";
import { Time } from "../ui/time";

type Update = Schema["RejectedUpdate"];

function Content({ update: { raw, raw_is_cut, bytes } }: { update: Update }) {
  return (
    <details>
      <summary className="soft">{countText(bytes)} bytes{raw_is_cut && ", the first 4 KiB are kept"}</summary>
      <pre className="command">{raw}</pre>
    </details>
  );
}

const columns: Column<Update>[] = [
  { name: "Received", show: ({ received_at }) => <Time at={received_at} /> },
  { name: "Bot", show: ({ bot }) => bot },
  { name: "Update", kind: "number", named: true, show: ({ update_id }) => <span className="mono">{String(update_id)}</span> },
  { name: "Reason", show: ({ reason }) => <span className="bad nowrap">{reason.replaceAll("_", " ")}</span> },
  { name: "Content", kind: "wide", show: (update) => <Content update={update} /> },
];

export function UpdatesPage() {
  const list = useKeyset("/api/v1/updates", "updates", ["updates"], { query: { disposition: "rejected" } });
  return (
    <Page title="Rejected updates" about="Updates that came from Telegram and could not be used. They are kept for whoever looks for the reason.">
      <List label="Rejected updates" list={list} columns={columns} keyOf={({ bot, update_id, received_at }) => `${bot} ${update_id} ${received_at}`} empty="No update was rejected." />
    </Page>
  );
}
