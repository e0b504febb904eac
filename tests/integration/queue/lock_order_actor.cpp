#include "tests/integration/queue/lock_order_actor.hpp"

#include "base/async.hpp"
#include "queue/store/enqueue.hpp"
#include "queue/store/enqueue_turn.hpp"
#include "queue/store/later.hpp"
#include "storage/stores/audit.hpp"
#include "storage/stores/budgets.hpp"
#include "storage/stores/chats.hpp"
#include "storage/stores/erasure.hpp"
#include "storage/stores/lanes.hpp"
#include "storage/stores/message_edits.hpp"
#include "storage/stores/messages.hpp"
#include "storage/stores/open_conversation.hpp"
#include "storage/stores/poll_leases.hpp"
#include "storage/stores/questions.hpp"
#include "storage/stores/tasks.hpp"
#include "storage/stores/turn_end.hpp"

#include <algorithm>
#include <array>

namespace postrider::tests {

using namespace std::chrono_literals;
using storage::transaction;

namespace {

std::string numbered(std::vector<std::string> const& rows) {
    std::string array;
    for (std::size_t n = 0; n < rows.size(); ++n)
        array += (n == 0 ? "[{\"i\":" : ",{\"i\":") + std::to_string(n) + "," + rows[n].substr(1);
    return array + "]";
}

constexpr std::array<std::string_view, 8> prunes{
    "select postrider.prune_kept('0')",
    "select postrider.prune_orphans('0')",
    "select postrider.prune_messages('0')",
    "select postrider.prune_sessions('0')",
    "select postrider.prune_approvals('0')",
    "select postrider.prune_request_keys()",
    "select postrider.prune_budgets()",
    "select postrider.prune_audit_content('0')"};

// Each of a message that stands there; `position` 0 is a person's, and is not sent.
constexpr std::array<std::string_view, 2> words_in_conversations{
    "select postrider.conversation_send(c.id, m.job_id, nullif(m.position, 0), 'key', m.id, "
    "'text', '{}') "
    "from (select * from postrider.message order by random() limit 1) m "
    "join postrider.api_conversation c using (lane_id)",
    "select postrider.conversation_change(c.id, m.job_id, false, 'another text', '{}') "
    "from (select * from postrider.message order by random() limit 1) m "
    "join postrider.api_conversation c using (lane_id)"};

constexpr storage::statement lock_flow{
    "lock_flow", "select from postrider.flow order by flow_id limit 1 for update"};
constexpr storage::statement publish_flow{
    "publish_flow",
    "insert into postrider.flow_version (flow_id, version, document) "
    "select f.flow_id, 1 + coalesce((select max(v.version) from postrider.flow_version v "
    "                                where v.flow_id = f.flow_id), 0), '{}' "
    "from (select * from postrider.flow order by flow_id limit 1) f"};
constexpr storage::statement archive_flow{
    "archive_flow",
    "update postrider.flow set archived_at = "
    "case when archived_at is null then postrider.now() end"};
// One schedule a transaction: several are locked in no order here.
constexpr storage::statement keep_schedule{
    "keep_schedule",
    "insert into postrider.schedule (name, kind, cron) values ('2', 'test', '* * * * *') "
    "on conflict (name) do update set missed = case schedule.missed when 'all' then 'skip' else "
    "'all' end"};
constexpr storage::statement remove_schedule{
    "remove_schedule", "delete from postrider.schedule where name = '2'"};

} // namespace

lock_order_actor::lock_order_actor(test_database const& database, std::string name, unsigned seed)
    : random_(seed),
      name_(std::move(name)),
      all_(storage::connect(io_.executor(), database.options())),
      store_(*all_.beats, *all_.db),
      scheduler_(io_.executor(), *all_.db, base::system_clock(), [] {}) {
    me_ = *io_.run(store_.join(identity_, 8));
}

void lock_order_actor::note(base::result<void> const& outcome) {
    if (outcome || outcome.error() == base::errc::conflict) return;
    if (outcome.error() != base::errc::not_found) // the lane of a deleted conversation
        refused.insert(outcome.error().detail);
}

void lock_order_actor::in_transaction(std::function<void(transaction&)> const& work) {
    note(io_.run(all_.db->run("test", work, patience), patience));
}

void lock_order_actor::run(std::string_view sql, std::vector<storage::param> const& parameters) {
    in_transaction([&](transaction& tx) { tx.query(storage::statement{sql, sql}, parameters); });
}

void lock_order_actor::write_apart(storage::write const& write) {
    in_transaction([&](transaction& tx) { tx.query(*write.statement, {numbered({write.row})}); });
}

void lock_order_actor::deliver() {
    std::vector<std::string> rows;
    storage::write write;
    for (int n = 0; n < 4; ++n) {
        auto const in = lane();
        write = queue::enqueue_turn(queue::new_job{in, "test", nullptr, {}}, in, {});
        rows.push_back(write.row);
    }
    in_transaction([&](transaction& tx) { tx.query(*write.statement, {numbered(rows)}); });
}

void lock_order_actor::deliver_turns() {
    std::vector<std::string> rows;
    storage::write write;
    for (int n = 0; n < 4; ++n) {
        storage::inbox_row update;
        update.bot = bot_id{1};
        update.update = update_id{random() % 100};
        storage::message_row message;
        message.role = "user";
        message.chat = chat_id{random() % 3};
        auto const in = lane();
        write =
            queue::enqueue_turn(queue::new_job{in, "test", nullptr, {}}, in, {&update, &message});
        rows.push_back(write.row);
    }
    in_transaction([&](transaction& tx) { tx.query(*write.statement, {numbered(rows)}); });
}

void lock_order_actor::edit() {
    write_apart(storage::lock_edited_lanes(lane_key(random()), chat_id{1}, telegram_message_id{1}));
}

void lock_order_actor::enqueue_later() {
    queue::later_job job;
    job.lane = lane();
    job.kind = "test";
    job.unique = queue::unique_job{"key" + std::to_string(random() % 3), {}, {}};
    if (random() % 2 == 0) job.unique->debounce = 1ms;
    write_apart(queue::enqueue_later(job));
}

void lock_order_actor::ensure_lanes() {
    std::vector<std::string> rows;
    storage::write write;
    for (int n = 0; n < 3; ++n) {
        auto const* mailbox = random() % 2 == 0 ? "queue" : "interrupt";
        write = storage::ensure_lane({.key = lane_key(random()), .manner = {.mailbox = mailbox}});
        rows.push_back(write.row);
    }
    in_transaction([&](transaction& tx) { tx.query(*write.statement, {numbered(rows)}); });
}

void lock_order_actor::open_conversation() {
    auto const in = lane();
    in_transaction([in](transaction& tx) {
        auto const run = [&tx](storage::write const& write) {
            return tx.query(*write.statement, {numbered({write.row})});
        };
        run(storage::end_turn({.lane = in, .place = {}, .user = user_id{1}, .is_owner = true}));
        auto const turn = run(queue::enqueue_turn(queue::new_job{in, "test", nullptr, {}}, in, {}));
        if (turn.empty()) return; // the lane was pruned
        run(storage::open_conversation(in, queue::read_turn(turn.front())->id));
    });
}

void lock_order_actor::hold_poll() {
    storage::poll_holder const holder{bot_id{1 + random() % 2}, me_};
    auto const leased = io_.run(storage::lease_poll(*all_.db, holder, patience), patience);
    if (!leased) note(leased.error());
    note(io_.run(storage::release_poll(*all_.db, holder, patience), patience));
}

void lock_order_actor::say_in_conversation() {
    run(words_in_conversations[said_++ % words_in_conversations.size()]);
}

void lock_order_actor::rescue() {
    run("update postrider.lane_run set node_id = -1 where lane_id = any(array("
        "select lane_id from postrider.lane_run where node_id is null and head is not null "
        "order by random() limit 2 for update skip locked))");
    (void)io_.run(store_.rescue(me_, identity_, 1h, 3), patience);
}

void lock_order_actor::operate(queue::operation operation) {
    in_transaction([&](transaction& tx) {
        auto const newest = queue::matching_jobs(tx, {}, {}, 8);
        queue::job_operation asked;
        asked.operation = operation;
        asked.event.type = "go";
        (void)queue::operate_on(tx, newest, asked);
    });
}

void lock_order_actor::reserve(job_id job, int number) {
    std::vector<storage::budget> const budgets{
        {.scope = "user", .subject = std::to_string(random() % 2), .most = {}},
        {.scope = "total", .subject = "", .most = {}},
        {.scope = "chat", .subject = std::to_string(random() % 2), .most = {}}};
    in_transaction([&](transaction& tx) {
        (void)storage::reserve(
            tx, {.job = job, .run = name_, .number = number}, budgets, {.calls = 1}, 60s
        );
    });
}

void lock_order_actor::publish() {
    in_transaction([](transaction& tx) {
        tx.query(lock_flow);
        tx.query(publish_flow);
        tx.query(keep_schedule);
    });
}

void lock_order_actor::archive() {
    in_transaction([](transaction& tx) {
        tx.query(archive_flow);
        tx.query(remove_schedule);
    });
}

void lock_order_actor::erase() {
    in_transaction([](transaction& tx) {
        (void)storage::erase(tx, storage::erasure_place::others, user_id{7}, {}, 100);
    });
}

void lock_order_actor::change_tasks() {
    storage::task_call const by{.owner = user_id{7 + random() % 2}};
    auto const created =
        io_.run(storage::create_task(*all_.quick, by, {.title = "test"}, patience), patience);
    if (!created) return note(created.error());
    auto const deleted =
        io_.run(storage::delete_task(*all_.quick, by, created->id, patience), patience);
    if (!deleted && deleted.error().code != base::errc::not_found) note(deleted.error());
}

void lock_order_actor::migrate_chats() {
    write_apart(storage::migrate_chat(bot_id{1}, chat_id{random() % 3}, chat_id{100}));
}

void lock_order_actor::leave() {
    note(io_.run(store_.leave(me_), patience));
    me_ = *io_.run(store_.join(identity_, 8));
}

void lock_order_actor::change_partitions() {
    run("select postrider.turn_partition('0')");
    run("select postrider.prune_partitions('0')"); // watches it
    run("select postrider.prune_partitions('0')"); // drops it
}

void lock_order_actor::prune() {
    run(prunes[pruned_++ % prunes.size()]);
}

void lock_order_actor::work(work_ending ending) {
    queue::claim_request const request{
        .node = me_, .slots = 4, .margin = 2, .with_suspect = true, .min_node_age = 0ms};
    auto const claimed = io_.run(queue::claim_lanes(*all_.quick, request, patience), patience);
    if (!claimed) return note(claimed.error());
    std::vector<shared_request> ends;
    std::vector<shared_request> releases;
    for (auto const& lane : claimed->lanes) {
        ends.push_back(request_for(lane));
        if (lane.job)
            end_as(ending, *ends.back());
        else
            ends.back()->ending = queue::advance{job_id{base::raw(lane.head) - 1}};
        releases.push_back(request_for(lane));
        releases.back()->ending = queue::release{};
    }
    if (ending == work_ending::pause) ask_to_pause(claimed->lanes);
    auto const running = commit(ends);
    for (std::size_t n = 0; n < running.size(); ++n) releases[n]->job = running[n];
    commit(releases);
}

void lock_order_actor::ask_to_pause(std::vector<queue::claimed_lane> const& claimed) {
    std::vector<job_id> jobs;
    for (auto const& lane : claimed)
        if (lane.job) jobs.push_back(lane.job->id);
    queue::job_operation asked;
    asked.operation = queue::operation::pause;
    in_transaction([&](transaction& tx) { (void)queue::operate_on(tx, jobs, asked); });
}

lock_order_actor::shared_request lock_order_actor::request_for(queue::claimed_lane const& claimed) {
    auto request = std::make_shared<queue::checkpoint_request>();
    request->node = me_;
    request->lease = claimed.lease;
    request->job = claimed.job ? claimed.job->id : claimed.head;
    request->arrival = claimed.job ? claimed.job->arrival : 0;
    return request;
}

void lock_order_actor::end_as(work_ending ending, queue::checkpoint_request& request) {
    auto const question = "q" + base::to_string(request.job);
    switch (ending) {
    case work_ending::release:
        request.ending = queue::release{};
        return;
    case work_ending::park:
        request.ending = queue::park{
            .as = queue::job_state::waiting, .delay = 1h, .reason = "test", .for_events = true};
        return;
    case work_ending::await_event: {
        queue::await_event awaited;
        awaited.event.type = random() % 2 == 0 ? "go" : std::string(queue::message_event);
        awaited.step.key = "wait" + std::to_string(++reservations_);
        request.writes.push_back(storage::open_question(
            {.id = question, .job = request.job, .place = "test", .only = {}, .open_for = 1h}
        ));
        request.ending = std::move(awaited);
        return;
    }
    case work_ending::coalesce:
        request.ending = queue::coalesce_mail{};
        return;
    case work_ending::settle: {
        auto const number = ++reservations_;
        reserve(request.job, number);
        storage::new_audit_entry call;
        call.lane = request.lease.lane;
        call.job = request.job;
        call.nonce = number;
        call.kind = "model_call";
        call.actor = "user:1";
        request.writes = {
            storage::record_audit(call),
            storage::close_question(question),
            storage::settle(
                {.job = request.job, .run = name_, .number = number}, {.calls = 1, .tokens = 5}
            )};
        request.ending = queue::settle{queue::outcome::completed()};
        return;
    }
    case work_ending::fail: {
        queue::later_job follows;
        follows.lane_key = "failures:" + base::to_string(request.lease.lane);
        follows.while_running = request.job;
        follows.kind = "test";
        auto ended = queue::outcome::failed(base::error(base::errc::invalid, "test"));
        ended.writes = {
            storage::ensure_lane({.key = follows.lane_key}), queue::enqueue_later(follows)};
        request.ending = queue::settle{std::move(ended)};
        return;
    }
    case work_ending::pause:
        request.ending = queue::pause_job{};
        return;
    case work_ending::begin_rollback:
        request.ending = queue::begin_rollback{queue::outcome::cancelled()};
        return;
    }
}

std::vector<job_id> lock_order_actor::commit(std::vector<shared_request> const& requests) {
    std::vector<std::shared_ptr<queue::checkpoint>> units;
    std::vector<base::result<void>> outcomes;
    base::task_group tasks{io_.executor()};
    for (auto const& request : requests) {
        units.push_back(std::make_shared<queue::checkpoint>(request));
        tasks.spawn("commit", commit_into(*all_.checkpoints, units.back(), &outcomes));
    }
    io_.run(tasks.join(), patience);
    for (auto const& outcome : outcomes) note(outcome);
    std::vector<job_id> running;
    for (auto const& unit : units)
        running.push_back(unit->next() ? unit->next()->id : unit->request().job);
    return running;
}

base::awaitable<void> lock_order_actor::commit_into(
    storage::batcher& to,
    std::shared_ptr<storage::unit> unit,
    std::vector<base::result<void>>* outcomes
) {
    auto committed = co_await to.commit(std::move(unit), patience);
    outcomes->push_back(std::move(committed));
}

} // namespace postrider::tests
