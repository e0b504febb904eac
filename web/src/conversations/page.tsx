// An operator's view of one lane, turn by turn, newest first: what people said, what tools were called, what was
// answered and whether it arrived, what a turn waits for and what it cost.
import { useEffect } from "react";
import { Link } from "wouter";

import { useTopic } from "../api/live";
import { isAbsent } from "../api/problem";
import { LaneSwitch } from "../lanes/operate";
import { SendEvent } from "../lanes/send-event";
import { Empty, Loaded } from "../ui/feedback";
import { More, useKeyset } from "../ui/keyset-list";
import { LaneName } from "../ui/lane-name";
import { Page } from "../ui/page";
import { State } from "../ui/state";
import { TextWithTimes } from "../ui/time";
import "./conversations.css";
import { Forget } from "./forget";
import { TurnView } from "./turn-view";
import { turnsOf } from "./turns";

function useTurns(lane: string) {
  useTopic("jobs", { lane });
  const messages = useKeyset("/api/v1/lanes/{lane}/messages", "messages", ["messages", lane], { params: { lane } });
  const jobs = useKeyset("/api/v1/jobs", "jobs", ["lane-jobs", lane], { query: { lane, limit: 100 } });
  const oldest = messages.rows?.at(-1)?.job_id ?? Infinity;
  const lacksJobs = jobs.hasNextPage && !jobs.isFetchingNextPage && !jobs.isFetchNextPageError && (jobs.rows?.at(-1)?.job_id ?? 0) > oldest;
  const { fetchNextPage } = jobs;
  useEffect(() => {
    if (lacksJobs) void fetchNextPage();
  }, [lacksJobs, fetchNextPage]);
  return { messages, jobs };
}

export function ConversationPage() {
  const lane = decodeURIComponent(window.location.pathname.split("/").at(-1) ?? ""); // the router's own is decoded in part
  const { messages, jobs } = useTurns(lane);
  const row = useKeyset("/api/v1/lanes", "lanes", ["lanes"], { query: { lane } }).rows?.find((other) => other.lane === lane);
  const name = row?.lane_name ?? jobs.rows?.[0]?.lane_name ?? lane;
  const about = <span className="row"><LaneName name={name} />{row && <State name={row.status} />}{row?.waits_for && <span className="soft"><TextWithTimes text={row.waits_for} /></span>}</span>;
  const actions = (
    <>
      <LaneSwitch lane={lane} paused={typeof row?.paused_at === "string"} />
      <SendEvent lane={lane} />
      <Forget lane={lane} />
      <Link className="button" href={`/jobs?lane=${encodeURIComponent(lane)}`}>Its jobs</Link>
    </>
  );
  if (isAbsent(messages.error) && !messages.rows) return <Page title="Conversation"><Empty title="There is no such lane."><Link href="/lanes">All lanes</Link></Empty></Page>;
  return (
    <Page title="Conversation" about={about} actions={actions}>
      <Loaded query={{ ...messages, data: messages.rows }}>
        {(rows) => {
          const turns = turnsOf(rows, jobs.rows ?? [], !messages.hasNextPage);
          return turns.length === 0 ? (
            <Empty title="Nothing was said here." />
          ) : (
            <>
              {turns.map((turn) => <TurnView key={turn.job} turn={turn} />)}
              <More list={messages} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
