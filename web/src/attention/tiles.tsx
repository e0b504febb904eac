import { Link } from "wouter";

import { countText } from "../ui/numbers";
import { durationText } from "../ui/zone";
import type { Overview } from "./queries";

export function Tiles({ overview }: { overview: Overview }) {
  const { jobs, rates, nodes } = overview;
  const waiting = jobs.available + jobs.scheduled + jobs.waiting + jobs.retryable;
  const about = overview.total_is_estimate ? "about " : "";
  return (
    <section className="tiles" aria-label="Numbers">
      <Link href="/jobs?state=running" className="tile">
        <b>{countText(jobs.running)}</b>
        <span>running on {countText(nodes.slots)} slots</span>
      </Link>
      <Link href="/jobs?state=available,scheduled,waiting,retryable" className="tile">
        <b>{about}{countText(waiting)}</b>
        <span>waiting</span>
      </Link>
      <div className="tile">
        <b>{overview.oldest_wait_ms === null ? "–" : durationText(overview.oldest_wait_ms)}</b>
        <span>longest wait for a slot</span>
      </div>
      <div className="tile">
        <b>{about}{countText(rates.finished_last_minute)}</b>
        <span>finished in a minute</span>
      </div>
      <Link href="/jobs?state=failed" className="tile">
        <b className={rates.failed_last_hour > 0 ? "bad" : ""}>{countText(rates.failed_last_hour)}</b>
        <span>failed in an hour</span>
      </Link>
      <Link href="/nodes" className="tile">
        <b>{countText(nodes.alive)}</b>
        <span>{nodes.alive === 1 ? "node alive" : "nodes alive"}</span>
      </Link>
      {overview.paused > 0 && (
        <Link href="/lanes?status=paused" className="tile">
          <b>{countText(overview.paused)}</b>
          <span>paused: lanes, bots or everything</span>
        </Link>
      )}
    </section>
  );
}
