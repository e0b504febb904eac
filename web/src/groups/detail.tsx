// One group: what keeps the bot from its work there, its members, and its conversation as the model reads it.
import { Link } from "wouter";

import { Empty, Loaded } from "../ui/feedback";
import { countText } from "../ui/numbers";
import { Facts, Page, Panel } from "../ui/page";
import { State } from "../ui/state";
import { Time } from "../ui/time";
import { GroupContext } from "./context";
import "./groups.css";
import { Members } from "./members";
import { type Group, useGroups } from "./queries";
import { sightOf } from "./words";

const yes = (right: boolean) => (right ? "yes" : "no");

function Setup({ group }: { group: Group }) {
  const { bot, chat, watched, rights, problems, last_message_at, judged, spam } = group;
  return (
    <Panel title="Setup">
      {problems.map((problem) => <p key={problem} className="why tone-warn">{problem}.</p>)}
      {!watched && <p className="soft">No published flow watches this group. Flows with the trigger <code>telegram.group</code> do.</p>}
      <Facts
        all={[
          ["Bot", <Link href={`/bots/${encodeURIComponent(bot)}`}>{bot}</Link>],
          ["Chat", <span className="mono">{String(chat)}</span>],
          ["It gets", <State {...sightOf(group)} />],
          ["Standing", rights?.standing ?? "not known"],
          ["Deletes messages", rights && yes(rights.may_delete)],
          ["Bans users", rights && yes(rights.may_restrict)],
          ["Last message", <Time at={last_message_at} age />],
          ["Spam of 24 hours", <Link href={`/spam?chat=${chat}&spam=true`}>{countText(spam)} of {countText(judged)}</Link>],
        ]}
      />
    </Panel>
  );
}

export function GroupPage({ params }: { params: Record<string, string> }) {
  const chat = params.chat ?? "";
  const list = useGroups();
  const group = list.data?.groups.find((listed) => String(listed.chat) === chat);
  if (list.data && !group) return <Page title={`Group ${chat}`}><Empty title="No bot serves this group."><Link href="/groups">All groups</Link></Empty></Page>;
  return (
    <Page title={group?.title ?? `Group ${chat}`} actions={<><Link className="button" href={`/spam?chat=${chat}`}>Verdicts</Link><Link className="button" href={`/spam/check?chat=${chat}`}>Check a text</Link></>}>
      <Loaded query={{ ...list, data: group, isPending: !group && !list.error }}>
        {(loaded) => (
          <>
            <Setup group={loaded} />
            <Members chat={chat} />
            <GroupContext chat={chat} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
