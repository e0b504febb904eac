// A group's members as the spam filter knows them, and an owner's word on each.
import { useMemo } from "react";

import { newKey } from "../api/intention";
import { ActButton } from "../ui/act-button";
import { Chips } from "../ui/chips";
import { Loaded } from "../ui/feedback";
import { useFilters } from "../ui/filters";
import { useKeyset } from "../ui/keyset-list";
import { List } from "../ui/list";
import { countText } from "../ui/numbers";
import { Panel } from "../ui/page";
import { State } from "../ui/state";
import type { Column } from "../ui/table";
import { Time } from "../ui/time";
import { actOnMember, type Member, useUnbanEffect } from "./queries";
import { EffectView } from "./train";

const changes = ["spam-members", "spam-verdicts", "spam-samples", "groups"];

const nameOf = ({ name, user }: Member) => name ?? `User ${user}`;

function Standing({ member: { approved_at, approved_by, banned_at, banned_by } }: { member: Member }) {
  if (banned_at) return <span className="row"><State name="failed" words="banned" /><span className="faint">by {banned_by}, <Time at={banned_at} age /></span></span>;
  if (approved_at) return <span className="row"><State name="approved" words="approved" /><span className="faint">by {approved_by}, <Time at={approved_at} age /></span></span>;
  return <State name="idle" words="checked" />;
}

/** What the filter learns, before it does. */
function UnbanEffect({ member }: { member: Member }) {
  const query = useUnbanEffect(member);
  return (
    <>
      <p className="soft">The member may join the group again.</p>
      <Loaded query={query}>
        {({ texts, effect }) => (
          <>
            {texts.map((text) => <blockquote key={text} className="said">{text}</blockquote>)}
            {effect ? <EffectView effect={effect} /> : <p className="soft">The filter learns nothing: it knows no text that the member is banned for.</p>}
          </>
        )}
      </Loaded>
    </>
  );
}

function Acts({ member }: { member: Member }) {
  const name = nameOf(member);
  const key = useMemo(newKey, [member.banned_at]); // a new one once it is done
  if (member.banned_at)
    return <ActButton act={() => actOnMember("unban", member, key)} changes={changes} says={`Unban ${name}, forget the strikes and approve them?`} done={`${name} is unbanned. A job tells Telegram.`} ask={<UnbanEffect member={member} />}>Unban</ActButton>;
  return (
    <div className="row acts">
      {member.approved_at ? (
        <ActButton act={() => actOnMember("disapprove", member, key)} changes={changes} says={`Check all messages of ${name} again.`} done={`${name} is checked again.`}>Disapprove</ActButton>
      ) : (
        <ActButton act={() => actOnMember("approve", member, key)} changes={changes} says={`Check only edits and repetitions of ${name}.`} done={`${name} is approved.`}>Approve</ActButton>
      )}
      <ActButton danger act={() => actOnMember("ban", member, key)} changes={changes} says={`Ban ${name} from the group?`} done={`A job bans ${name}.`} ask={<p className="soft">The bot needs the right to ban users. If Telegram refuses, a failed job says so.</p>}>Ban</ActButton>
    </div>
  );
}

const columns: Column<Member>[] = [
  { name: "Member", kind: "wide", show: (member) => <span className="clip">{nameOf(member)} {member.name && <span className="faint mono">{String(member.user)}</span>}</span> },
  { name: "State", show: (member) => <Standing member={member} /> },
  { name: "Messages", kind: "number", named: true, show: ({ messages }) => countText(messages) },
  { name: "Strikes", kind: "number", named: true, show: ({ strikes }) => countText(strikes) },
  { name: "", show: (member) => <Acts member={member} /> },
];

const states = [{ title: "All", value: undefined }, { title: "Approved", value: "approved" }, { title: "With strikes", value: "struck" }, { title: "Banned", value: "banned" }];

export function Members({ chat }: { chat: string }) {
  const [filters, change] = useFilters(["state"]);
  const list = useKeyset("/api/v1/spam/members", "members", ["spam-members", chat], { query: { chat, ...filters } });
  return (
    <Panel flush title="Members" aside={<Chips label="State" choices={states} value={filters.state} onChange={(state) => change({ state })} />}>
      <List label="Members" list={list} columns={columns} keyOf={({ user }) => String(user)} empty="The filter knows no such member." />
    </Panel>
  );
}
