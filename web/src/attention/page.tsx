import { Link } from "wouter";

import { Failure, Loaded } from "../ui/feedback";
import { countText } from "../ui/numbers";
import { Page, Panel } from "../ui/page";
import "./attention.css";
import { Item } from "./item";
import { kindWords } from "./kinds";
import { type Attention, type AttentionItem, useAttention, useOverview } from "./queries";
import { Tiles } from "./tiles";

type Kind = AttentionItem["kind"];

const lists: Partial<Record<Kind, { href: string; words: string }>> = {
  approval: { href: "/approvals", words: "All approvals" },
  effect_in_doubt: { href: "/effects", words: "All effects in doubt" },
  dead_letter: { href: "/jobs?state=failed", words: "All failed jobs" },
  undelivered: { href: "/jobs?degraded_reason=undelivered", words: "All undelivered replies" },
  question: { href: "/jobs?state=waiting", words: "All jobs that wait" },
};

function More({ kind, left }: { kind: Kind; left: number }) {
  const list = lists[kind];
  return <p className="more faint"><span>{countText(left)} more are not shown. {list && <Link href={list.href}>{list.words}</Link>}</span></p>;
}

function Groups({ attention }: { attention: Attention }) {
  const groups = attention.kinds.filter(({ total }) => total > 0);
  if (groups.length === 0)
    return (
      <section className="panel calm-page">
        <svg width="36" height="36" viewBox="0 0 36 36" aria-hidden="true">
          <circle cx="18" cy="18" r="16" fill="none" stroke="currentColor" strokeWidth="2" />
          <path d="m11 18.5 5 5 9-10" fill="none" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" strokeLinejoin="round" />
        </svg>
        <strong>Nothing needs you</strong>
        <p>No approval waits, no reply is lost, and no job has failed.</p>
      </section>
    );
  return groups.map(({ kind, total }) => {
    const { title, tone } = kindWords(kind);
    const items = attention.items.filter((item) => item.kind === kind);
    return (
      <Panel key={kind} flush title={title} aside={<span className={`tag tone-${tone}`}>{countText(total)}</span>}>
        <ul className="items">
          {items.map((item) => <Item key={item.id} item={item} />)}
        </ul>
        {total > items.length && <More kind={kind} left={total - items.length} />}
      </Panel>
    );
  });
}

export function AttentionPage() {
  const attention = useAttention();
  const overview = useOverview();
  return (
    <Page title="Attention" about="Work that waits for a person, failed, or is out of order.">
      {overview.data ? <Tiles overview={overview.data} /> : overview.error && !attention.error && <Failure error={overview.error} again={() => void overview.refetch()} />}
      <Loaded query={attention}>
        {(data) => <Groups attention={data} />}
      </Loaded>
    </Page>
  );
}
