// A million jobs: how long every list of the console takes, with every filter of its job list.
import { settled } from "./world.mjs";

const JOBS = 1_000_000;
const LIMIT_MS = 100;

/** Jobs of thirty days in 5,000 chats: most completed, some failed, cancelled or degraded. Each with its message; every tenth with a paid call. */
export const seed = (jobs) => `
set session_replication_role = replica;
set synchronous_commit = off;
insert into postrider.lane (lane_id, bot_id, chat_id, lane_key) overriding system value
    select 1000000 + i, b.bot_id, 5000000 + i, b.bot_id || ':' || 5000000 + i || ':0' from generate_series(1, 5000) i, (select min(bot_id) bot_id from postrider.bot) b;
insert into postrider.lane_run (lane_id, bot_id, priority) select lane_id, bot_id, 3 from postrider.lane where lane_id > 1000000;
create temp table seeded as
    select i, nextval('postrider.number') as job_id, 1000000 + 1 + i % 5000 as lane_id, 5000001 + i % 5000 as chat_id,
           postrider.now() - interval '30 days' + i * (interval '30 days' / ${jobs}) as at,
           case when i % 97 = 0 then 'failed' when i % 71 = 0 then 'cancelled' else 'completed' end as state,
           (array['assistant', 'todo', 'support', 'digest'])[1 + i % 4] as flow
    from generate_series(1, ${jobs}) i;
insert into postrider.job (job_id, lane_id, conversation_id, arrival, created_at, started_at, finished_at, run_no, state, kind, degraded, degraded_reason, error_class, error, tokens_in, tokens_out, cost_micro, input)
    select job_id, lane_id, lane_id, 1, at, at + interval '20 ms', at + interval '2 s', 1, state, 'turn', nullif(state = 'completed' and i % 301 = 0, false),
           case when state = 'completed' and i % 301 = 0 then 'model_failed' end,
           case when state = 'failed' then (array['unavailable', 'timeout', 'invalid', 'refused'])[1 + i % 4] when state = 'completed' and i % 301 = 0 then 'unavailable' end,
           case when state = 'failed' then 'the model does not answer' end, 1400, 90, 1200,
           jsonb_build_object('bot', 1, 'chat', chat_id, 'user', chat_id, 'flow', flow, 'agent', flow, 'version', 1, 'trigger', 'message', 'message', i, 'thread', 0)
    from seeded order by job_id;
insert into postrider.message (lane_id, job_id, conversation_id, created_at, position, chat_id, sender_id, sender_name, role, id, content)
    select lane_id, job_id, lane_id, at, 0, chat_id, chat_id, 'Alexandra Example', 'user', 'm' || i, 'When does the ferry to the island leave on Saturday? ' || i from seeded order by lane_id, job_id;
insert into postrider.step (job_id, started_at, ended_at, node_id, seq, key, outcome, result, usage)
    select job_id, at, at + interval '1 s', 1, 1, 'assistant/model', 'done', '{"model": "claude-haiku-4-5"}', '{"tokens_in": 1400, "tokens_out": 90, "tokens_cached": 0, "cost_micro": 1200}' from seeded where i % 10 = 0;
analyze postrider.lane; analyze postrider.lane_run;`;

const day = (ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

/** What the console's lists ask, by what a person looks for. */
const requests = {
  "all jobs": "jobs?",
  ...Object.fromEntries(["available", "scheduled", "running", "waiting", "retryable", "completed", "failed", "cancelled", "paused", "degraded"].map((state) => [`jobs that are ${state}`, `jobs?state=${state}`])),
  "jobs that are live": "jobs?state=available,scheduled,running,waiting,retryable",
  "jobs of a usual flow": "jobs?flow=support",
  "jobs of a rare flow": "jobs?flow=holding",
  "jobs of no flow": "jobs?flow=absent",
  "failed jobs of a class": "jobs?state=failed&error_class=timeout",
  "jobs of a class": "jobs?error_class=timeout",
  "jobs of no class": "jobs?error_class=absent",
  "jobs of a lane": "jobs?lane=1:5000777:0",
  "jobs of a part of a lane": "jobs?lane_text=5000777",
  "jobs of no lane": "jobs?lane_text=absent",
  "jobs of a day": `jobs?after=${day(20)}&before=${day(19)}`,
  "jobs of before": `jobs?before=${day(29)}`,
  "jobs of the future": `jobs?after=${day(-2)}`,
  "undelivered jobs": "jobs?degraded_reason=undelivered",
  "degraded jobs of a reason": "jobs?degraded_reason=model_failed",
  "a later page of jobs": async (server) => `jobs?cursor=${await server.sql("select min(job_id) + 5000 from postrider.job where lane_id > 1000000")}`,
  "executions": "executions?",
  ...Object.fromEntries(["completed", "failed", "cancelled", "running", "waiting"].map((state) => [`executions that are ${state}`, `executions?state=${state}`])),
  "executions of a usual flow": "executions?flow=support",
  "executions of no flow": "executions?flow=absent",
  "lanes": "lanes?",
  ...Object.fromEntries(["running", "ready", "waiting", "paused", "idle"].map((status) => [`lanes that are ${status}`, `lanes?status=${status}`])),
  "lanes by a part": "lanes?lane_text=5000777",
  "messages of a lane": "lanes/1%3A5000777%3A0/messages?",
  "attention": "attention?", "overview": "overview?", "flows": "flows?", "approvals": "approvals?state=waiting", "effects in doubt": "effects?state=in_doubt", "strangers": "strangers?", "memory": "agent-sessions?",
  "rejected updates": "updates?disposition=rejected", "schedules": "schedules?", "bots": "bots?", "tools": "tools?", "MCP servers": "mcp-servers?", "nodes": "nodes?", "audit": "audit?", "tokens": "tokens?", "sessions": "console/sessions?",
  "settings": "settings?", "pauses": "pauses?", "budgets": "budgets?", "conversations": "conversations?",
};
/** Reports, which are no lists: their times are printed. */
const reports = { "usage by day": "usage?by=day", "usage by user": "usage?by=user", "usage by day and model": "usage?by=day,model" };

/** The least of five, after one that warms. */
async function timeOf(server, path) {
  let least = Infinity;
  for (let turn = 0; turn < 6; ++turn) {
    const began = performance.now();
    await server.api("GET", `/api/v1/${path}`);
    if (turn > 0) least = Math.min(least, performance.now() - began);
  }
  return least;
}

export async function measureLists({ server, report }) {
  const over = [];
  for (const [name, ask] of Object.entries({ ...requests, ...reports })) {
    const path = typeof ask === "function" ? await ask(server) : ask;
    const took = await timeOf(server, path);
    report(`${name}: ${took.toFixed(1)} ms`);
    if (took > LIMIT_MS && !(name in reports)) over.push(`${name} ${took.toFixed(0)} ms`);
  }
  report(`lists that take longer than ${LIMIT_MS} ms among ${JOBS} jobs: ${over.join(", ") || "none"}`);
}

export async function large(world) {
  const { server, open, check } = world;
  await server.sql(seed(JOBS));
  for (const table of ["job", "message", "step"]) await server.sql(`vacuum analyze postrider.${table}`);
  await measureLists(world);
  const { page } = await open();
  await page.goto(`${server.origin}/console/jobs?state=failed`);
  await settled(page);
  check((await page.locator("tbody tr").count()) === 50, "the list of jobs opens among them");
}
