// The todo server's tools over a real Postgres, called as the built-in agent calls them: through a
// client of the same process.
#include "agent/mcp/client.hpp"
#include "agent/mcp/in_process.hpp"
#include "agent/todo/task_server.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::todo::task_server_test {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class task_tools : public testing::Test {
protected:
    task_tools() { client_ = connect(user_id{7}); }
    ~task_tools() override {
        for (auto& client : clients_) io_.run(client->close());
        writes_->close();
        reads_->close();
    }

    mcp::client* connect(user_id user) {
        mcp::client_options options;
        options.handshake.identity = {"postrider", "1"};
        clients_.push_back(std::make_unique<mcp::client>(
            io_.executor(),
            [this, user] {
                return mcp::make_in_process_transport(io_.executor(), server_, {user});
            },
            options
        ));
        return clients_.back().get();
    }
    mcp::tool_result call(std::string tool, json::object arguments = {}) {
        auto result = io_.run(client_->call_tool(std::move(tool), std::move(arguments)));
        EXPECT_TRUE(result) << to_string(result.error());
        return result ? *result : mcp::tool_result();
    }
    // The structure of a call that succeeds.
    json::value done(std::string tool, json::object arguments = {}) {
        auto result = call(std::move(tool), std::move(arguments));
        EXPECT_FALSE(result.is_error) << text_of(result);
        return result.structured.value_or(nullptr);
    }
    std::string failure(std::string tool, json::object arguments = {}) {
        auto const result = call(std::move(tool), std::move(arguments));
        EXPECT_TRUE(result.is_error);
        return text_of(result);
    }
    std::unique_ptr<storage::batcher> make_batcher(std::string name, bool read_only) {
        storage::batcher_options options;
        options.name = std::move(name);
        options.read_only = read_only;
        return storage::make_batcher(io_.executor(), database_.options(), std::move(options));
    }
    static std::string text_of(mcp::tool_result const& result) {
        return std::get<mcp::text_content>(result.content.at(0)).text;
    }
    std::vector<std::string> titles(json::object filter = {}) {
        std::vector<std::string> all;
        auto const page = done("list_todo_tasks", std::move(filter));
        for (auto const& task : page.at("tasks").as_array())
            all.emplace_back(task.at("title").as_string());
        return all;
    }

    tests::test_database database_;
    tests::loop io_;
    std::unique_ptr<storage::batcher> writes_ = make_batcher("tasks", false);
    std::unique_ptr<storage::batcher> reads_ = make_batcher("reads", true);
    mcp::server const server_{
        make_task_server({*writes_, *reads_, base::find_time_zone("Europe/Berlin").value()}, "1")};
    std::vector<std::unique_ptr<mcp::client>> clients_;
    mcp::client* client_ = nullptr;
};

// covers: S2.03
TEST_F(task_tools, are_six_by_their_names_and_arguments) {
    auto const list = io_.run(client_->list_tools()).value();
    std::map<std::string, std::string> required;
    for (auto const& tool : list.tools) {
        auto const* names = tool.input_schema.if_contains("required");
        required[tool.name] = names ? json::serialize(*names) : "[]";
    }
    std::map<std::string, std::string> const expected{
        {"create_todo_task", R"(["title"])"},
        {"get_todo_task", R"(["task_id"])"},
        {"list_todo_tasks", "[]"},
        {"update_todo_task", R"(["task_id","title"])"},
        {"complete_todo_task", R"(["task_id"])"},
        {"delete_todo_task", R"(["task_id"])"}};
    EXPECT_EQ(required, expected);
    EXPECT_THAT(list.dropped, IsEmpty());
}

TEST_F(task_tools, make_no_reminder_for_a_client_without_a_chat) {
    done("create_todo_task", {{"title", "milk"}, {"due", "2099-01-01T10:00:00Z"}});
    EXPECT_EQ(database_.value("select count(*) from postrider.schedule"), "0");
}

// covers: S2.04
TEST_F(task_tools, have_nobody_in_their_schemas) {
    auto const list = io_.run(client_->list_tools()).value();
    for (auto const& tool : list.tools)
        EXPECT_THAT(json::serialize(tool.input_schema), testing::Not(HasSubstr("user")))
            << tool.name;
    EXPECT_THAT(
        failure("create_todo_task", {{"title", "milk"}, {"user_id", 8}}), HasSubstr("user_id")
    );
}

TEST_F(task_tools, say_what_they_do_to_tasks) {
    auto const list = io_.run(client_->list_tools()).value();
    for (auto const& tool : list.tools) {
        bool const reads = tool.name == "get_todo_task" || tool.name == "list_todo_tasks";
        bool const destroys = tool.name == "update_todo_task" || tool.name == "delete_todo_task";
        EXPECT_EQ(tool.annotations.read_only, reads) << tool.name;
        EXPECT_EQ(tool.annotations.destructive, destroys) << tool.name;
        EXPECT_EQ(tool.annotations.idempotent, tool.name != "create_todo_task") << tool.name;
        EXPECT_FALSE(tool.annotations.open_world) << tool.name;
    }
}

// covers: S2.03
TEST_F(task_tools, lead_a_task_through_its_life) {
    auto const created = done("create_todo_task", {{"title", " buy\n  milk "}});
    EXPECT_EQ(created.at("task_id"), 1);
    EXPECT_EQ(created.at("title"), "buy milk");
    EXPECT_EQ(created.at("completed"), false);
    EXPECT_EQ(created.at("priority"), "medium");

    done("update_todo_task", {{"task_id", 1}, {"title", "buy soy milk"}});
    auto const completed = done("complete_todo_task", {{"task_id", 1}});
    EXPECT_EQ(completed.at("title"), "buy soy milk");
    EXPECT_EQ(completed.at("completed"), true);
    EXPECT_EQ(done("complete_todo_task", {{"task_id", 1}}), completed) << "again is as once";
    EXPECT_EQ(done("get_todo_task", {{"task_id", 1}}), completed);
    EXPECT_EQ(
        failure("delete_todo_task", {{"task_id", 1}, {"title", "buy milk"}}),
        "Task 1 is called \"buy soy milk\" now, so it was not deleted."
    );
    EXPECT_EQ(
        done("delete_todo_task", {{"task_id", 1}, {"title", "Buy soy milk"}}).at("title"),
        "buy soy milk"
    );
    EXPECT_EQ(failure("get_todo_task", {{"task_id", 1}}), "There is no task 1.");
}

TEST_F(task_tools, explain_what_was_not_done) {
    for (auto const* tool : {"get_todo_task", "complete_todo_task", "delete_todo_task"})
        EXPECT_EQ(failure(tool, {{"task_id", 7}}), "There is no task 7.");
    EXPECT_EQ(failure("update_todo_task", {{"task_id", 7}, {"title", "x"}}), "There is no task 7.");
    EXPECT_THAT(failure("get_todo_task", {{"task_id", "7"}}), HasSubstr("task_id"));
    EXPECT_THAT(failure("get_todo_task"), HasSubstr("task_id"));
    EXPECT_THAT(failure("get_todo_task", {{"task_id", 0}}), HasSubstr("task_id"));
    EXPECT_THAT(failure("create_todo_task", {{"title", " \n "}}), HasSubstr("blank"));
    EXPECT_THAT(
        failure("create_todo_task", {{"title", std::string(501, 'x')}}), HasSubstr("title")
    );
    EXPECT_THAT(
        failure("create_todo_task", {{"title", "x"}, {"due", "tomorrow"}}), HasSubstr("2026-12-24")
    );
    EXPECT_THAT(titles(), IsEmpty());
}

TEST_F(task_tools, take_days_and_times_where_the_server_is) {
    auto const due = [&](std::string said) {
        auto const task = done("create_todo_task", {{"title", "x"}, {"due", said}});
        return std::string(task.at("due").as_string());
    };
    EXPECT_EQ(due("2026-12-24"), "2026-12-24");
    EXPECT_EQ(due("2026-12-24T18:00"), "2026-12-24T18:00:00+01:00");
    EXPECT_EQ(due("2026-07-24T18:00:00Z"), "2026-07-24T20:00:00+02:00");
    EXPECT_EQ(
        database_.value("select due_at at time zone 'UTC' from postrider.task where task_id = 1"),
        "2026-12-24 08:00:00"
    ) << "9 o'clock in Berlin";
}

TEST_F(task_tools, keep_or_take_away_what_is_not_renamed) {
    done("create_todo_task", {{"title", "a"}, {"due", "2026-12-24"}, {"priority", "high"}});
    auto const renamed = done("update_todo_task", {{"task_id", 1}, {"title", "b"}});
    EXPECT_EQ(renamed.at("due"), "2026-12-24");
    EXPECT_EQ(renamed.at("priority"), "high");
    EXPECT_EQ(renamed.at("changed"), json::array({"title"}));

    auto const changed = done(
        "update_todo_task", {{"task_id", 1}, {"title", "b"}, {"due", nullptr}, {"priority", "low"}}
    );
    EXPECT_FALSE(changed.as_object().contains("due"));
    EXPECT_EQ(changed.at("priority"), "low");
    EXPECT_EQ(changed.at("changed"), json::array({"title", "due", "priority"}));
}

TEST_F(task_tools, list_what_is_asked_for) {
    done("create_todo_task", {{"title", "milk"}, {"due", "2020-01-01"}});
    done("create_todo_task", {{"title", "Soy Milk"}, {"priority", "high"}});
    done("create_todo_task", {{"title", "call Ann"}, {"due", "2096-01-01"}});
    done("complete_todo_task", {{"task_id", 2}});

    EXPECT_THAT(titles(), ElementsAre("milk", "Soy Milk", "call Ann"));
    EXPECT_THAT(titles({{"status", "open"}}), ElementsAre("milk", "call Ann"));
    EXPECT_THAT(titles({{"status", "completed"}}), ElementsAre("Soy Milk"));
    EXPECT_THAT(titles({{"status", "overdue"}}), ElementsAre("milk"));
    EXPECT_THAT(titles({{"search", "milk"}}), ElementsAre("milk", "Soy Milk"));
    EXPECT_THAT(titles({{"priority", "high"}}), ElementsAre("Soy Milk"));
    EXPECT_THAT(titles({{"due_from", "2096-01-01"}}), ElementsAre("call Ann"));
    EXPECT_THAT(titles({{"due_before", "2096-01-01"}}), ElementsAre("milk"));

    auto const page = done("list_todo_tasks", {{"limit", 2}});
    EXPECT_EQ(page.at("total"), 3);
    EXPECT_EQ(page.at("next"), 2);
    EXPECT_THAT(titles({{"cursor", 2}}), ElementsAre("call Ann"));
    EXPECT_THAT(failure("list_todo_tasks", {{"limit", 501}}), HasSubstr("limit"));
}

TEST_F(task_tools, refuse_a_key_with_other_arguments) {
    auto const create = [&](std::string title) {
        json::object const meta{{std::string(mcp::call_key_member), "k"}};
        return io_.run(client_->call_tool("create_todo_task", {{"title", title}}, {}, meta))
            .value();
    };
    EXPECT_FALSE(create("milk").is_error);
    EXPECT_FALSE(create("milk").is_error);
    EXPECT_TRUE(create("bread").is_error);
    EXPECT_THAT(titles(), ElementsAre("milk"));
}

TEST_F(task_tools, tell_that_the_database_is_away) {
    writes_->close();
    reads_->close();
    EXPECT_THAT(failure("create_todo_task", {{"title", "x"}}), HasSubstr("nothing was changed"));
    EXPECT_THAT(failure("list_todo_tasks"), HasSubstr("cannot be reached"));
}

} // namespace
} // namespace postrider::agent::todo::task_server_test
