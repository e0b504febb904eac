import { Link } from "wouter";

import type { Schema } from "../api/client";
import { FilterField } from "../ui/filter-field";
import { useFilters } from "../ui/filters";
import { useKeyset } from "../ui/keyset-list";
import { List } from "../ui/list";
import { Page } from "../ui/page";
import type { Column } from "../ui/table";
import { Time } from "../ui/time";

type Stranger = Schema["Stranger"];

const columns: Column<Stranger>[] = [
  { name: "Name", kind: "wide", show: ({ name }) => <span className="clip">{name || "–"}</span> },
  { name: "User", kind: "number", named: true, show: ({ user_id }) => <span className="mono">{String(user_id)}</span> },
  { name: "Bot", named: true, show: ({ bot }) => <Link href={`/bots/${encodeURIComponent(bot)}`}>{bot}</Link> },
  { name: "Refused", kind: "number", named: true, show: ({ refused }) => refused },
  { name: "First seen", named: true, show: ({ first_seen_at }) => <Time at={first_seen_at} age /> },
  { name: "Last seen", named: true, show: ({ last_seen_at }) => <Time at={last_seen_at} age /> },
  { name: "Let them in", show: ({ admitted_by }) => <code className="soft">{admitted_by.setting} += {String(admitted_by.id)}</code> },
];

export function StrangersPage() {
  const [filters, change] = useFilters(["bot"]);
  const list = useKeyset("/api/v1/strangers", "strangers", ["strangers"], { query: filters });
  return (
    <Page title="Strangers" about="People who wrote to a bot without permission. Their messages are not kept. The setting in the last column lets them in; the page of the bot has the line to write.">
      <div className="filters"><FilterField name="bot" label="Bot" value={filters.bot ?? ""} change={change} search /></div>
      <List label="Strangers" list={list} columns={columns} keyOf={({ bot, user_id, chat_id }) => `${bot} ${user_id} ${chat_id}`} empty="Nobody was refused." />
    </Page>
  );
}
