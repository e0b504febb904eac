#include "storage/stores/tasks.hpp"

#include "base/json/json.hpp"
#include "base/json/row.hpp"
#include "storage/query.hpp"

namespace postrider::storage {

namespace {

using base::errc;
using base::error;

// New owners, in their order, so that two nodes never wait for each other.
constexpr statement add_owners{
    "add_task_owners",
    R"(
insert into postrider.task_owner (user_id)
select distinct user_id from json_to_recordset($1::json) as t(i int, user_id bigint) order by user_id
on conflict do nothing
)",
    1};

// The rest of the transaction is alone with their tasks.
constexpr statement lock_owners{
    "lock_task_owners",
    R"(
select 0 from postrider.task_owner o
where o.user_id = any(array(select user_id from json_to_recordset($1::json) as t(i int, user_id bigint)))
order by o.user_id for update
)",
    2};

constexpr statement find_calls{
    "find_task_calls",
    R"(
select t.i, c.digest = t.digest, c.result
from json_to_recordset($1::json) as t(i int, user_id bigint, call_key text, digest text)
cross join lateral (select c.digest, c.result from postrider.task_call c
                    where c.user_id = t.user_id and c.call_key = t.call_key offset 0) c
)",
    3};

// The same call twice in one batch makes one task: `name` is the same then.
constexpr statement create_tasks{
    "create_tasks",
    R"(
with r as materialized (
    select t.*, t.user_id || coalesce(':k' || t.call_key, ':i' || t.i) as name
    from json_to_recordset($1::json) as t(i int, user_id bigint, call_key text, digest text, title text, priority text,
                                            due_at timestamptz, due_whole_day boolean)
), firsts as (
    select distinct on (name) * from r order by name, i
), counted as (
    update postrider.task_owner o set last_task_id = o.last_task_id + n.tasks
    from (select user_id, count(*) as tasks from firsts group by user_id) n
    where o.user_id = n.user_id and o.user_id = any(array(select user_id from r))
    returning o.user_id, o.last_task_id - n.tasks as before
), numbered as materialized (
    select f.*, c.before + row_number() over (partition by f.user_id order by f.i) as task_id
    from firsts f join counted c on c.user_id = f.user_id
), created as (
    insert into postrider.task as t (user_id, task_id, title, priority, due_at, due_whole_day)
    select user_id, task_id, title, priority, due_at, coalesce(due_whole_day, false) from numbered
    returning t.user_id || ':' || t.task_id as task, postrider.task_json(t) as result
), answers as materialized (
    select n.*, c.result from numbered n join created c on c.task = n.user_id || ':' || n.task_id
), noted as (
    insert into postrider.task_call (user_id, call_key, digest, result)
    select user_id, call_key, digest, result from answers where call_key is not null
    on conflict do nothing
)
-- Another call with the key of one of these gets no row.
select r.i, a.result from r join answers a on a.name = r.name where a.digest is not distinct from r.digest
)",
    11};

// Of two changes of one task in one batch the first is not done, and gets no row.
constexpr statement change_tasks{
    "change_tasks",
    R"(
with r as materialized (
    select t.*, t.user_id || ':' || t.task_id as task
    from json_to_recordset($1::json) as t(i int, user_id bigint, task_id bigint, call_key text, digest text, title text,
                                            priority text, sets_due boolean, due_at timestamptz, due_whole_day boolean)
), lasts as (
    select distinct on (task) * from r order by task, i desc
), found as materialized (
    select x.place from lasts l cross join lateral (
        select t.ctid as place from postrider.task t where t.user_id = l.user_id and t.task_id = l.task_id offset 0) x
), changed as (
    update postrider.task t
    set title = l.title, priority = coalesce(l.priority, t.priority),
        due_at = case when l.sets_due then l.due_at else t.due_at end,
        due_whole_day = case when l.sets_due then coalesce(l.due_whole_day, false) else t.due_whole_day end
    from lasts l
    where t.ctid = any(array(select place from found)) and l.task = t.user_id || ':' || t.task_id
    returning l.task, postrider.task_json(t) as result
), answers as materialized (
    select l.*, c.result from lasts l left join changed c on c.task = l.task
), noted as (
    insert into postrider.task_call (user_id, call_key, digest, result)
    select user_id, call_key, digest, result from answers where call_key is not null
    on conflict do nothing
)
select i, result from answers
)",
    12};

constexpr statement complete_tasks{
    "complete_tasks",
    R"(
with r as materialized (
    select t.*, t.user_id || ':' || t.task_id as task
    from json_to_recordset($1::json) as t(i int, user_id bigint, task_id bigint, call_key text, digest text)
), found as materialized (
    select x.place from (select distinct user_id, task_id from r) d cross join lateral (
        select t.ctid as place from postrider.task t where t.user_id = d.user_id and t.task_id = d.task_id offset 0) x
), completed as (
    update postrider.task t set completed_at = coalesce(t.completed_at, postrider.now())
    where t.ctid = any(array(select place from found))
    returning t.user_id || ':' || t.task_id as task, postrider.task_json(t) as result
), answers as materialized (
    select r.*, c.result from r left join completed c on c.task = r.task
), noted as (
    insert into postrider.task_call (user_id, call_key, digest, result)
    select user_id, call_key, digest, result from answers where call_key is not null
    on conflict do nothing
)
select i, result from answers
)",
    13};

constexpr statement delete_tasks{
    "delete_tasks",
    R"(
with r as materialized (
    select t.*, t.user_id || ':' || t.task_id as task
    from json_to_recordset($1::json) as t(i int, user_id bigint, task_id bigint, call_key text, digest text)
), found as materialized (
    select x.place from (select distinct user_id, task_id from r) d cross join lateral (
        select t.ctid as place from postrider.task t where t.user_id = d.user_id and t.task_id = d.task_id offset 0) x
), deleted as (
    delete from postrider.task t
    where t.ctid = any(array(select place from found))
    returning t.user_id || ':' || t.task_id as task, postrider.task_json(t) as result
), answers as materialized (
    select r.*, d.result from r left join deleted d on d.task = r.task
), noted as (
    insert into postrider.task_call (user_id, call_key, digest, result)
    select user_id, call_key, digest, result from answers where call_key is not null
    on conflict do nothing
)
select i, result from answers
)",
    14};

constexpr statement read_tasks{
    "read_tasks",
    R"(
select r.i, x.result
from json_to_recordset($1::json) as r(i int, user_id bigint, task_id bigint)
cross join lateral (select postrider.task_json(t) as result from postrider.task t
                    where t.user_id = r.user_id and t.task_id = r.task_id offset 0) x
)"};

// Of a whole day, due_at is 9 o'clock: it is over 15 hours later. Only what is shown is made JSON of,
// which costs more than all that is counted.
constexpr statement list_some_tasks{
    "list_tasks",
    R"(
select r.i, x.result, x.total
from json_to_recordset($1::json) as r(i int, user_id bigint, status text, priority text, search text,
                                        due_from timestamptz, due_before timestamptz, after_id bigint, most int)
cross join lateral (
    select postrider.task_json(p.task) as result, p.total, p.task_id
    from (select m.*
          from (select t as task, t.task_id, count(*) over () as total
                from postrider.task t
                where t.user_id = r.user_id
                  and case r.status when 'open' then t.completed_at is null
                                    when 'completed' then t.completed_at is not null
                                    when 'overdue' then t.completed_at is null
                                        and t.due_at + case when t.due_whole_day then interval '15 hours' else interval '0' end < postrider.now()
                                    else true end
                  and t.priority = coalesce(r.priority, t.priority)
                  and (r.search is null or strpos(lower(t.title), lower(r.search)) > 0)
                  and (r.due_from is null or t.due_at >= r.due_from)
                  and (r.due_before is null or t.due_at < r.due_before)) m
          where m.task_id > r.after_id
          order by m.task_id limit r.most) p) x
order by r.i, x.task_id
)"};

std::optional<base::sys_time> time_in(base::json_reader const& member) {
    return base::from_iso8601(member.string_or(""));
}

task_row task_from(boost::json::value const& result) {
    base::json_reader const from{result};
    task_row task;
    task.id = task_id{from["task_id"].int64()};
    task.title = from["title"].string();
    task.priority = task_priority_from_string(from["priority"].string()).value_or(task.priority);
    if (auto const at = time_in(from["due_at"]))
        task.due = task_due{*at, from["due_whole_day"].boolean_or(false)};
    task.created_at = time_in(from["created_at"]).value_or(base::sys_time());
    task.completed_at = time_in(from["completed_at"]);
    return task;
}

std::string time_text(base::sys_time at) {
    return base::to_iso8601(at, true);
}

base::json_row row_of(task_call const& by) {
    base::json_row row{{"user_id", base::raw(by.owner)}};
    if (by.key.empty()) return row;
    row.add({"call_key", by.key});
    row.add({"digest", by.digest});
    return row;
}

void add_due(base::json_row& row, std::optional<task_due> const& due) {
    if (!due) return;
    auto const at = time_text(due->at);
    row.add({"due_at", at});
    row.add({"due_whole_day", due->whole_day});
}

// One change: its owner's lock, the record of its call, then, where there is none, the change and
// the reminder that follows from it.
class change_unit final : public unit {
public:
    change_unit(task_call by, write change, std::optional<task_id> task)
        : by_(std::move(by)),
          change_(std::move(change)),
          task_(task) {}

    std::vector<write> stage(int number, std::vector<rows> const& returned) override {
        if (number == 0) return begin();
        if (number == 1) {
            // The record stands behind the other statements of the first stage.
            if (!by_.key.empty()) recorded_ = returned.back();
            if (!recorded_.empty()) return {};
            return with_reminder();
        }
        changed_ = returned.front();
        return {};
    }
    bool is_last(int number) const override { return number == 1; }

    // After the commit.
    base::result<task_row> answer() const {
        if (!recorded_.empty() && !recorded_.front().boolean(1))
            return error(errc::refused, "this key belongs to another call");
        auto const& found = recorded_.empty() ? changed_ : recorded_;
        std::size_t const column = recorded_.empty() ? 1 : 2;
        if (found.empty()) return error(errc::conflict, "the task was changed meanwhile");
        if (found.front().null(column)) return error(errc::not_found);
        return task_from(found.front().json(column));
    }

private:
    std::vector<write> begin() {
        recorded_.clear();
        changed_.clear();
        auto const owner = base::json_row{{"user_id", base::raw(by_.owner)}}.text();
        std::vector<write> first{{&add_owners, owner}, {&lock_owners, owner}};
        if (!by_.key.empty()) first.push_back({&find_calls, row_of(by_).text()});
        return first;
    }

    std::vector<write> with_reminder() const {
        // A new task has a reminder by its call alone.
        if (!task_ && (by_.key.empty() || !by_.reminding)) return {change_};
        auto const task = task_ ? std::optional(base::raw(*task_)) : std::nullopt;
        return {change_, follow_due_date({by_.owner, task, by_.key}, by_.reminding)};
    }

    task_call by_;
    write change_;
    std::optional<task_id> task_; // nothing: it is made by this change
    rows recorded_;
    rows changed_;
};

base::awaitable<base::result<task_row>> commit_change(
    batcher& writes,
    task_call by,
    write change,
    std::optional<task_id> task,
    base::duration deadline
) {
    auto const unit = std::make_shared<change_unit>(std::move(by), std::move(change), task);
    auto const done = co_await writes.commit(unit, deadline);
    if (!done) co_return done.error();
    co_return unit->answer();
}

std::string row_of(task_call const& by, task_id task) {
    auto row = row_of(by);
    row.add({"task_id", base::raw(task)});
    return std::move(row).text();
}

write list_row(user_id owner, task_filter const& filter) {
    base::json_row row{
        {"user_id", base::raw(owner)},
        {"status", to_string(filter.status)},
        {"after_id", base::raw(filter.after)},
        {"most", filter.most + 1}}; // of which the last tells that there are more
    if (filter.priority) row.add({"priority", to_string(*filter.priority)});
    if (!filter.search.empty()) row.add({"search", filter.search});
    if (filter.due_from) row.add({"due_from", time_text(*filter.due_from)});
    if (filter.due_before) row.add({"due_before", time_text(*filter.due_before)});
    return {&list_some_tasks, std::move(row).text()};
}

} // namespace

base::awaitable<base::result<task_row>> create_task(
    batcher& writes, task_call by, task_content const& content, base::duration deadline
) {
    auto row = row_of(by);
    row.add({"title", content.title});
    row.add({"priority", to_string(content.priority)});
    add_due(row, content.due);
    return commit_change(
        writes, std::move(by), {&create_tasks, std::move(row).text()}, std::nullopt, deadline
    );
}

base::awaitable<base::result<task_row>> change_task(
    batcher& writes, task_call by, task_id task, task_changes changes, base::duration deadline
) {
    auto row = row_of(by);
    row.add({"task_id", base::raw(task)});
    row.add({"title", changes.title});
    if (changes.priority) row.add({"priority", to_string(*changes.priority)});
    row.add({"sets_due", changes.due.has_value()});
    if (changes.due) add_due(row, *changes.due);
    return commit_change(
        writes, std::move(by), {&change_tasks, std::move(row).text()}, task, deadline
    );
}

base::awaitable<base::result<task_row>> complete_task(
    batcher& writes, task_call by, task_id task, base::duration deadline
) {
    auto row = row_of(by, task);
    return commit_change(writes, std::move(by), {&complete_tasks, std::move(row)}, task, deadline);
}

base::awaitable<base::result<task_row>> delete_task(
    batcher& writes, task_call by, task_id task, base::duration deadline
) {
    auto row = row_of(by, task);
    return commit_change(writes, std::move(by), {&delete_tasks, std::move(row)}, task, deadline);
}

base::awaitable<base::result<task_row>> read_task(
    batcher& reads, user_id owner, task_id task, base::duration deadline
) {
    write request{&read_tasks, row_of(task_call{owner}, task)};
    auto const found = co_await query(reads, std::move(request), deadline);
    if (!found) co_return found.error();
    if (found->empty()) co_return error(errc::not_found);
    co_return task_from(found->front().json(1));
}

base::awaitable<base::result<task_page>> list_tasks(
    batcher& reads, user_id owner, task_filter filter, base::duration deadline
) {
    auto const found = co_await query(reads, list_row(owner, filter), deadline);
    if (!found) co_return found.error();
    task_page page;
    for (auto const& row : *found) {
        page.tasks.push_back(task_from(row.json(1)));
        page.total = row.int64(2);
    }
    page.more = page.tasks.size() > static_cast<std::size_t>(filter.most);
    if (page.more) page.tasks.pop_back();
    co_return page;
}

} // namespace postrider::storage
