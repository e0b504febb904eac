import { Link } from "wouter";

import { List } from "../ui/list";
import { countText } from "../ui/numbers";
import { Page } from "../ui/page";
import { State } from "../ui/state";
import type { Column } from "../ui/table";
import { Time } from "../ui/time";
import { type Group, useGroups } from "./queries";
import { sightOf } from "./words";

const columns: Column<Group>[] = [
  { name: "Group", kind: "wide", show: ({ chat, title }) => <Link className="clip" href={`/groups/${chat}`}>{title ?? `Group ${chat}`}</Link> },
  { name: "Bot", named: true, show: ({ bot }) => <Link href={`/bots/${encodeURIComponent(bot)}`}>{bot}</Link> },
  { name: "It gets", named: true, show: (group) => <State {...sightOf(group)} /> },
  { name: "Rights", named: true, show: ({ rights }) => <span className="nowrap">{rights?.standing ?? <span className="faint">not known</span>}</span> },
  { name: "Problems", kind: "number", named: true, show: ({ problems }) => (problems.length > 0 ? <span className="tag tone-warn">{problems.length}</span> : <span className="faint">none</span>) },
  { name: "Last message", named: true, show: ({ last_message_at }) => <Time at={last_message_at} age /> },
  { name: "Spam today", kind: "number", named: true, show: ({ chat, judged, spam }) => <Link href={`/spam?chat=${chat}&spam=true`} title={`${countText(judged)} messages were judged in the last 24 hours.`}>{countText(spam)}</Link> },
];

const everything = { hasNextPage: false, isFetchingNextPage: false, fetchNextPage: () => undefined };

export function GroupsPage() {
  const list = useGroups();
  return (
    <Page title="Groups" about="Groups that the bots serve: what Telegram shows them there, and what the spam filter found in the last 24 hours." actions={<Link className="button" href="/spam/check">Check a text</Link>}>
      <List
        label="Groups"
        list={{ ...list, ...everything, rows: list.data?.groups }}
        columns={columns}
        keyOf={({ bot, chat }) => `${bot} ${chat}`}
        empty="No bot serves a group."
        hint={<p>Add a group's id to <code>allowed_chats</code> of a bot. The page Strangers shows the id of a group whose members wrote to a bot.</p>}
      />
    </Page>
  );
}
