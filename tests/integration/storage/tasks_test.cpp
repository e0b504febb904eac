// Tasks, their owners, and changes that are asked for twice.
#include "storage/stores/tasks.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::storage::tasks_test {
namespace {

using namespace std::chrono_literals;
using base::errc;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr user_id ann{7};
constexpr user_id bob{8};

class tasks : public testing::Test {
protected:
    tasks() {
        batcher_options options;
        options.name = "tasks";
        batches_ = make_batcher(io_.executor(), database_.options(), options);
    }
    ~tasks() override { batches_->close(); }

    base::result<task_row> create(task_call by, std::string title) {
        return io_.run(create_task(*batches_, std::move(by), {std::move(title)}, 5s));
    }
    task_id created(user_id owner, std::string title) {
        return create({owner}, std::move(title)).value().id;
    }
    base::result<task_row> rename(task_call by, task_id task, std::string title) {
        return io_.run(change_task(*batches_, std::move(by), task, {std::move(title)}, 5s));
    }
    base::result<task_row> complete(task_call by, task_id task) {
        return io_.run(complete_task(*batches_, std::move(by), task, 5s));
    }
    base::result<task_row> remove(task_call by, task_id task) {
        return io_.run(delete_task(*batches_, std::move(by), task, 5s));
    }
    base::result<task_row> read(user_id owner, task_id task) {
        return io_.run(read_task(*batches_, owner, task, 5s));
    }
    std::vector<std::string> titles(user_id owner, task_filter filter = {}) {
        std::vector<std::string> all;
        for (auto const& task : io_.run(list_tasks(*batches_, owner, filter, 5s)).value().tasks)
            all.push_back(task.title);
        return all;
    }

    tests::test_database database_;
    tests::loop io_;
    std::unique_ptr<batcher> batches_;
};

TEST_F(tasks, have_ids_of_their_owners) {
    EXPECT_EQ(base::raw(created(ann, "milk")), 1);
    EXPECT_EQ(base::raw(created(bob, "bread")), 1);
    EXPECT_EQ(base::raw(created(ann, "eggs")), 2);
    ASSERT_TRUE(remove({ann}, task_id{2}));
    EXPECT_EQ(base::raw(created(ann, "tea")), 3) << "an id is not used again";

    EXPECT_THAT(titles(ann), ElementsAre("milk", "tea"));
    EXPECT_THAT(titles(bob), ElementsAre("bread"));
    EXPECT_THAT(titles(user_id{9}), IsEmpty());
}

// covers: S2.04
TEST_F(tasks, of_others_are_as_if_they_were_not_there) {
    created(ann, "milk");
    auto const eggs = created(ann, "eggs");
    created(bob, "bread");

    EXPECT_EQ(to_string(read(bob, eggs).error()), to_string(read(bob, task_id{99}).error()));
    EXPECT_EQ(
        to_string(rename({bob}, eggs, "x").error()),
        to_string(rename({bob}, task_id{99}, "x").error())
    );
    EXPECT_EQ(
        to_string(complete({bob}, eggs).error()), to_string(complete({bob}, task_id{99}).error())
    );
    EXPECT_EQ(
        to_string(remove({bob}, eggs).error()), to_string(remove({bob}, task_id{99}).error())
    );
    EXPECT_EQ(remove({bob}, eggs).error().code, errc::not_found);

    EXPECT_EQ(read(ann, eggs).value().title, "eggs");
    EXPECT_FALSE(read(ann, eggs).value().completed_at);
}

TEST_F(tasks, are_completed_once) {
    auto const milk = created(ann, "milk");
    auto const first = complete({ann}, milk).value();
    ASSERT_TRUE(first.completed_at);

    EXPECT_EQ(complete({ann}, milk).value().completed_at, first.completed_at);
}

TEST_F(tasks, change_in_what_is_said_alone) {
    task_due const due{base::from_iso8601("2026-12-01T09:00:00Z").value(), true};
    auto const task =
        io_.run(create_task(*batches_, {ann}, {"milk", task_priority::high, due}, 5s)).value();
    EXPECT_EQ(task.due->at, due.at);

    auto const renamed = rename({ann}, task.id, "soy milk").value();
    EXPECT_EQ(renamed.title, "soy milk");
    EXPECT_EQ(renamed.priority, task_priority::high);
    EXPECT_TRUE(renamed.due->whole_day);

    task_changes changes{"soy milk", task_priority::low, std::optional<task_due>()};
    auto const changed = io_.run(change_task(*batches_, {ann}, task.id, changes, 5s)).value();
    EXPECT_EQ(changed.priority, task_priority::low);
    EXPECT_FALSE(changed.due);
}

TEST_F(tasks, have_titles_of_500_characters_at_most) {
    std::string title;
    for (int i = 0; i < 500; ++i) title += "ü";
    EXPECT_EQ(create({ann}, title).value().title, title);
    EXPECT_EQ(create({ann}, title + "x").error().code, errc::poison);
    EXPECT_EQ(create({ann}, "").error().code, errc::poison);
}

// A step that ran, and whose result was not committed, runs again.
TEST_F(tasks, are_changed_once_under_a_key) {
    task_call const creation{ann, "job 4/step 1", "a"};
    auto const task = create(creation, "milk").value();
    auto const again = create(creation, "milk").value();
    EXPECT_EQ(again.id, task.id);
    EXPECT_EQ(again.created_at, task.created_at);
    EXPECT_THAT(titles(ann), ElementsAre("milk"));

    ASSERT_TRUE(rename({ann, "job 4/step 2", "b"}, task.id, "tea"));
    ASSERT_TRUE(rename({ann}, task.id, "coffee"));
    EXPECT_EQ(rename({ann, "job 4/step 2", "b"}, task.id, "tea").value().title, "tea");
    EXPECT_THAT(titles(ann), ElementsAre("coffee")) << "the repetition changed nothing";

    task_call const deletion{ann, "job 4/step 3", "c"};
    ASSERT_TRUE(remove(deletion, task.id));
    EXPECT_EQ(remove(deletion, task.id).value().title, "coffee");
    EXPECT_EQ(remove({ann}, task.id).error().code, errc::not_found);

    EXPECT_EQ(create(creation, "milk").value().id, task.id) << "even when it is deleted by now";
    EXPECT_THAT(titles(ann), IsEmpty());
}

TEST_F(tasks, remember_that_there_was_none) {
    task_call const by{ann, "k", "d"};
    EXPECT_EQ(complete(by, task_id{1}).error().code, errc::not_found);
    created(ann, "milk");
    EXPECT_EQ(complete(by, task_id{1}).error().code, errc::not_found);
}

TEST_F(tasks, refuse_the_key_of_another_call) {
    created(ann, "milk");
    ASSERT_TRUE(complete({ann, "k", "d"}, task_id{1}));
    EXPECT_EQ(remove({ann, "k", "e"}, task_id{1}).error().code, errc::refused);
    EXPECT_TRUE(create({bob, "k", "e"}, "bread")) << "a key is its owner's";
    EXPECT_THAT(titles(ann), ElementsAre("milk"));
}

base::awaitable<void> create_into(
    batcher& batches, task_call by, std::vector<base::result<task_row>>& results
) {
    task_content content{"milk"};
    auto result = co_await create_task(batches, std::move(by), std::move(content), 5s);
    results.push_back(std::move(result));
}

base::awaitable<void> create_at_once(
    batcher& batches, std::vector<task_call> calls, std::vector<base::result<task_row>>& results
) {
    base::task_group creating(co_await boost::asio::this_coro::executor);
    for (auto& call : calls) creating.spawn("create", create_into(batches, call, results));
    co_await creating.join();
}

TEST_F(tasks, that_are_created_at_once_have_different_ids_and_a_key_one_task) {
    std::vector<task_call> calls;
    for (int i = 0; i < 40; ++i) calls.push_back({i % 2 == 0 ? ann : bob});
    for (int i = 0; i < 10; ++i) calls.push_back({ann, "k", "d"});
    std::vector<base::result<task_row>> results;
    io_.run(create_at_once(*batches_, calls, results));

    for (auto const& result : results) EXPECT_TRUE(result);
    EXPECT_EQ(titles(ann).size(), 21U);
    EXPECT_EQ(titles(bob).size(), 20U);
    EXPECT_EQ(database_.value("select max(task_id) from postrider.task where user_id = 7"), "21");
}

TEST_F(tasks, are_listed_by_status_words_priority_and_time) {
    auto const past = base::from_iso8601("2020-01-01T09:00:00Z").value();
    auto const future = base::from_iso8601("2096-01-01T09:00:00Z").value();
    auto create_due = [&](std::string title, task_priority priority, base::sys_time due) {
        task_content content{std::move(title), priority, task_due{due, true}};
        io_.run(create_task(*batches_, {ann}, std::move(content), 5s)).value();
    };
    created(ann, "Buy Milk");
    create_due("milk the cow", task_priority::high, past);
    create_due("see Ann", task_priority::low, future);
    ASSERT_TRUE(complete({ann}, task_id{1}));

    EXPECT_THAT(titles(ann, {.status = task_status::open}), ElementsAre("milk the cow", "see Ann"));
    EXPECT_THAT(titles(ann, {.status = task_status::completed}), ElementsAre("Buy Milk"));
    EXPECT_THAT(titles(ann, {.status = task_status::overdue}), ElementsAre("milk the cow"));
    EXPECT_THAT(titles(ann, {.search = "MILK"}), ElementsAre("Buy Milk", "milk the cow"));
    EXPECT_THAT(titles(ann, {.search = "%"}), IsEmpty()) << "a text, not a pattern";
    EXPECT_THAT(titles(ann, {.priority = task_priority::high}), ElementsAre("milk the cow"));
    EXPECT_THAT(titles(ann, {.due_from = future}), ElementsAre("see Ann"));
    EXPECT_THAT(titles(ann, {.due_before = future}), ElementsAre("milk the cow"));
}

TEST_F(tasks, are_listed_in_pages) {
    for (auto const* title : {"a", "b", "c"}) created(ann, title);
    task_filter first;
    first.most = 2;
    auto const page = io_.run(list_tasks(*batches_, ann, first, 5s)).value();
    EXPECT_EQ(page.total, 3);
    EXPECT_EQ(page.tasks.size(), 2U);
    EXPECT_TRUE(page.more);

    first.after = page.tasks.back().id;
    EXPECT_THAT(titles(ann, first), ElementsAre("c"));
    first.after = {};
    first.most = 3;
    EXPECT_FALSE(io_.run(list_tasks(*batches_, ann, first, 5s)).value().more);
}

// In one batch or in two.
TEST_F(tasks, a_key_of_two_calls_at_once_serves_one_of_them) {
    using namespace base::asio::experimental::awaitable_operators;
    task_call const first{ann, "k", "digest of milk"};
    task_call const second{ann, "k", "digest of bread"};
    task_content const milk{"milk"};
    task_content const bread{"bread"};

    auto const [one_task, other] = io_.run(
        create_task(*batches_, first, milk, 5s) && create_task(*batches_, second, bread, 5s)
    );

    EXPECT_NE(one_task.has_value(), other.has_value());
    EXPECT_EQ(titles(ann).size(), 1U);
}

// What a person is reminded of, and when.
class task_reminders : public tasks {
protected:
    static task_due due(std::string const& at) { return {base::from_iso8601(at).value()}; }
    static task_call from_chat(std::string key, std::string place = "1:7") {
        task_reminding reminding{.place = std::move(place), .lane = lane_id{5}, .longest = 1h};
        reminding.input = {{"chat", 7}};
        return {ann, std::move(key), "d", std::move(reminding)};
    }
    task_id dated(task_call by, std::string const& at) {
        return io_.run(create_task(*batches_, std::move(by), {"milk", {}, due(at)}, 5s)).value().id;
    }
    void put_off(task_call by, task_id task, std::optional<task_due> to) {
        task_changes changes{.title = "milk", .due = to};
        io_.run(change_task(*batches_, std::move(by), task, std::move(changes), 5s)).value();
    }
    std::string kept() {
        return database_.value(
            "select coalesce(string_agg(concat_ws(' ', input ->> 'text', 'on', "
            "(at at time zone 'UTC')::date, 'in', input ->> 'place'), ', ' order by name), '') "
            "from postrider.schedule"
        );
    }
};

// covers: S2.05
TEST_F(task_reminders, are_made_with_their_task_once_where_it_was_dated) {
    auto const task = dated(from_chat("k"), "2099-01-01T09:00:00Z");
    EXPECT_EQ(kept(), "#1 milk on 2099-01-01 in 1:7");
    EXPECT_EQ(
        database_.value("select concat_ws(' ', name, kind, lane_key, input, time_limit_ms) "
                        "from postrider.schedule"),
        R"(reminder:task7n1 reminder schedule:reminders:5 {"chat": 7, "lane": 5, "text": "#1 milk", )"
        R"("user": 7, "place": "1:7", "reminder": "task7n1"} 3600000)"
    );

    dated(from_chat("k"), "2099-01-01T09:00:00Z");
    put_off(from_chat("k2", "1:8"), task, due("2099-02-02T09:00:00Z"));
    EXPECT_EQ(kept(), "#1 milk on 2099-02-02 in 1:7") << "it moves, and stays there";
}

TEST_F(task_reminders, say_the_title_of_now) {
    auto const task = dated(from_chat("k"), "2099-01-01T09:00:00Z");
    ASSERT_TRUE(rename({ann}, task, "soy milk"));
    EXPECT_EQ(kept(), "#1 soy milk on 2099-01-01 in 1:7");
}

TEST_F(task_reminders, end_with_their_task_or_its_date) {
    auto const done = dated(from_chat("k1"), "2099-01-01T09:00:00Z");
    auto const gone = dated(from_chat("k2"), "2099-01-01T09:00:00Z");
    auto const undated = dated(from_chat("k3"), "2099-01-01T09:00:00Z");
    auto const past = dated(from_chat("k4"), "2099-01-01T09:00:00Z");
    ASSERT_EQ(database_.value("select count(*) from postrider.schedule"), "4");

    ASSERT_TRUE(complete({ann}, done));
    EXPECT_EQ(database_.value("select count(*) from postrider.schedule"), "3");
    ASSERT_TRUE(remove({ann}, gone));
    put_off({ann}, undated, std::nullopt);
    put_off({ann}, past, due("2001-01-01T09:00:00Z"));
    EXPECT_EQ(kept(), "");

    put_off({ann}, undated, due("2099-01-01T09:00:00Z"));
    EXPECT_EQ(kept(), "") << "this call came from no chat";
    put_off(from_chat("k5"), undated, due("2099-01-01T09:00:00Z"));
    EXPECT_EQ(kept(), "#3 milk on 2099-01-01 in 1:7");
}

TEST_F(task_reminders, of_dates_that_have_come_are_the_schedulers) {
    auto const task = dated(from_chat("k"), "2099-01-01T09:00:00Z");
    database_.execute("update postrider.task set due_at = '2001-01-01Z'");
    database_.execute("update postrider.schedule set at = '2001-01-01Z'");
    ASSERT_TRUE(rename({ann}, task, "soy milk"));
    EXPECT_EQ(kept(), "#1 soy milk on 2001-01-01 in 1:7") << "it is not said yet";
}

TEST_F(task_reminders, are_not_made_from_elsewhere_nor_of_the_past) {
    dated({ann, "k1", "d"}, "2099-01-01T09:00:00Z");
    dated({ann}, "2099-01-01T09:00:00Z");
    dated(from_chat("k2"), "2001-01-01T09:00:00Z");
    EXPECT_EQ(kept(), "");
}

TEST_F(tasks, records_of_calls_go_after_a_month) {
    ASSERT_TRUE(create({ann, "k", "d"}, "milk"));
    EXPECT_EQ(database_.value("select postrider.prune_task_calls()"), "0");
    database_.execute("update postrider.task_call set created_at = now() - interval '31 days'");
    EXPECT_EQ(database_.value("select postrider.prune_task_calls()"), "1");
}

} // namespace
} // namespace postrider::storage::tasks_test
