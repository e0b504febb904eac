// Answers for the preview, where the server behind it has none: pages with something on them.
const ago = (seconds) => new Date(Date.now() - seconds * 1000).toISOString();

const act = (name, says) => ({ name, method: "POST", path: "/api/v1/nothing", says });

export const samples = () => ({
  "/api/v1/overview": {
    time: ago(0), jobs: { available: 12, scheduled: 3, running: 7, waiting: 4, retryable: 1, completed: 48_211, failed: 9, cancelled: 41, paused: 2 },
    total_is_estimate: true, oldest_wait_ms: 1_430, rates: { finished_last_minute: 184, finished_last_hour: 9_912, failed_last_minute: 0, failed_last_hour: 3 },
    approvals: 1, questions: 1, effects_in_doubt: 1, undelivered: 0, paused: 1, nodes: { alive: 2, slots: 512, running: 7 },
  },
  "/api/v1/attention": {
    time: ago(0), total: 5, total_is_estimate: false,
    kinds: [["approval", 1], ["question", 1], ["undelivered", 0], ["effect_in_doubt", 1], ["dead_letter", 2], ["breaker", 1], ["mcp_server", 0]].map(([kind, total]) => ({ kind, total })),
    items: [
      { kind: "approval", id: "a", since: ago(95), title: "http_request for user 1000", detail: '{"url":"https://example.org/orders/7","method":"DELETE"}', link_to: { job_id: 20 }, actions: [act("approve", "Lets the call run; the turn continues."), act("reject", "Refuses the call; the agent is told so.")] },
      { kind: "question", id: "b", since: ago(400), title: "main, chat 1000 is asked", detail: "Which of the two lists do you mean: groceries or hardware?", link_to: { job_id: 16 }, actions: [act("cancel", "Ends the turn that asks.")] },
      { kind: "effect_in_doubt", id: "c", since: ago(7_200), title: "reply/send of job 12", detail: "The process died between the call of Telegram and its answer.", link_to: { job_id: 12 }, actions: [act("done", "Records that it happened."), act("resend", "Sends it again."), act("drop", "Records that it shall not happen.")] },
      { kind: "dead_letter", id: "d", since: ago(600), title: "Job 8 failed: model_unavailable", detail: "The model did not answer within 60 s, three times.", link_to: { job_id: 8 }, actions: [act("retry", "Resumes it from the step that failed.")] },
      { kind: "dead_letter", id: "e", since: ago(5_000), title: "Job 4 failed: invalid_flow", detail: "Node “Classify”: the expression returns no text.", link_to: { job_id: 4 }, actions: [act("retry", "Resumes it from the step that failed.")] },
      { kind: "breaker", id: "f", since: ago(40), title: "api.anthropic.com", detail: "Five failures in a minute. It is tried again in 20 s.", link_to: {}, actions: [] },
    ],
  },
  "/api/v1/nodes": { nodes: [{ node_id: 3, host: "edge-1", pid: 811, version: "0.1.0", started_at: ago(86_000), beat_at: ago(1), alive: true, slots: 256, running: 5, polled_bots: ["main"] }, { node_id: 2, host: "edge-2", pid: 90, version: "0.1.0", started_at: ago(90_000), beat_at: ago(44), alive: false, slots: 256, running: 2, polled_bots: [] }] },
  "/api/v1/bots": { bots: [{ name: "main", username: "postrider_bot", telegram_id: 1, configured: true, stopped_at: null, stopped_reason: null, paused_at: null, agent: "assistant", mode: "webhook", webhook: { url: "https://bots.example.org/telegram/main", pending: 3, last_error: "Connection timed out", last_error_at: ago(3_000) }, reads_all_group_messages: false, owners: 1, allowed_users: 4, allowed_chats: 0 }] },
  "/api/v1/schedules": { schedules: [{ name: "daily report", kind: "flow", cron: "0 8 * * 1-5", at: null, timezone: "Europe/Berlin", missed: "once", overlap: "skip", time_limit_ms: null, etag: '"1"', state: "active", error: null, runs: 31, last_at: ago(30_000), last_job: 12, next: ["2026-11-30 08:00"] }] },
  "/api/v1/tools": { tools: [{ name: "calculator", source: "own", server: null, title: "Calculator", description: "Computes an arithmetic expression.", risk: "low", state: "offered", refused_by: [], change: null }, { name: "files_write", source: "mcp", server: "files", title: "write", description: "Writes a file.", tool: "write", risk: "high", state: "changed", refused_by: [], change: { digest: "5f", agreed: { name: "write" }, offered: { name: "write", description: "Writes a file." }, offered_at: ago(60) } }] },
  "/api/v1/mcp-servers": { servers: [{ name: "files", transport: "http", program: null, address: "http://127.0.0.1:9000", state: "connected", failure: null, failing_since: null, server_name: "files", server_version: "2.1", known_tools: 6, changed_tools: 1 }] },
  "/api/v1/settings": { settings: [{ key: "server.listen", value: "127.0.0.1:8080", source: "POSTRIDER_LISTEN", source_kind: "environment", secret: false, help: "Address of the HTTP server." }, { key: "server.admin_token", value: "••••", source: "default", source_kind: "default", secret: true, help: "Bearer token of the owner." }] },
  "/api/v1/lanes/1%3A1000%3A0/messages": { messages: [
    { id: "5", job_id: 28, role: "assistant", origin: "agent", content: "6*7 = 42", created_at: ago(10), delivery: "sent", author: null, tool: null, arguments: null, removed: false },
    { id: "4", job_id: 28, role: "tool", origin: "agent", content: "42", created_at: ago(11), delivery: null, author: null, tool: "calculator", arguments: { expression: "6*7" }, removed: false },
    { id: "3", job_id: 28, role: "user", origin: "person", content: "what is 6*7?", created_at: ago(12), delivery: null, author: { id: 1000, name: "Ann Example" }, tool: null, arguments: null, removed: false },
  ] },
  "/api/v1/demo/chat": { lane: "1:1000:0", typing: true, model_timeout: { state: "hangs", deadline_ms: 10_000 }, messages: [
    { id: "1", role: "user", origin: "person", content: "delete task 1", created_at: ago(40) },
    { id: "2", role: "assistant", origin: "agent", content: "Are you sure you want to delete task 1? (yes/no) → buy milk", created_at: ago(39), buttons: [[{ text: "Yes", data: "q:yes" }, { text: "No", data: "q:no" }]], note: { text: "Noted", alert: false } },
    { id: "3", role: "user", origin: "person", content: "what is this?", created_at: ago(9), media: { kind: "photo", source: "/api/v1/demo/pictures/3" }, reaction: "👀" },
  ] },
  "/api/v1/collections": { collections: [{ name: "handbook", description: "Holidays, travel and equipment.", documents: 12, parts: 840, bytes: 5_200_000, access: { people: "allowed" }, embedded: 700, created_at: ago(90_000), updated_at: ago(60) }, { name: "prices", description: "", documents: 0, parts: 0, bytes: 0, access: { flows: ["assistant"], people: "owners" }, embedded: 0, created_at: ago(50), updated_at: ago(50) }] },
  "/api/v1/budgets": { budgets: [{ scope: "total", subject: "", spent: { calls: 180, tokens: 91_000, cost: 42.5 }, held: { calls: 0, tokens: 0, cost: 0 }, limit: { calls: 1000, tokens: null, cost: 500 }, is_spent: false, opens_at: ago(-20_000) }] },
  "/api/v1/doctor": { ok: false, findings: [{ what: "database", ok: true, result: "ok", detail: "Postgres 15 answers in 2 ms" }, { what: "clock", ok: true, result: "warn", detail: "the clock is 3 s behind the database's", advice: "timedatectl set-ntp true" }, { what: "model", ok: false, result: "failed", detail: "no key is set", advice: "export ANTHROPIC_API_KEY=…" }] },
  "/api/v1/console/sessions": { sessions: [{ session_id: 7, role: "owner", user_id: 1000, created_at: ago(500), last_seen_at: ago(2), expires_at: ago(-600_000), current: true }, { session_id: 6, role: "reader", user_id: 42, created_at: ago(90_000), last_seen_at: ago(4_000), expires_at: ago(-300_000), current: false }] },
});
