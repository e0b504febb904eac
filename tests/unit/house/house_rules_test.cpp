#include "tests/unit/house/house_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string_view>
#include <unistd.h>

namespace postrider::tests::house_rules_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

// The tree that this test was built from; tests start in its root.
TEST(house, keeps_its_own_rules) {
    for (auto const& v : check_house("."))
        ADD_FAILURE_AT(v.file.c_str(), static_cast<int>(v.line)) << v.rule;
}

TEST(house, is_really_looked_at) {
    ASSERT_TRUE(fs::exists("base/clock.cpp")) << "run this test in the root of the source tree";
}

// A made-up tree.
class rules : public testing::Test {
protected:
    rules() : root_(fs::temp_directory_path() / ("house_rules." + std::to_string(getpid()))) {
        fs::create_directories(root_);
    }
    ~rules() override { fs::remove_all(root_); }

    void write(std::string_view file, std::string_view text) {
        auto const path = root_ / file;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }

    std::vector<std::string> found() {
        std::vector<std::string> lines;
        for (auto const& v : check_house(root_)) lines.push_back(to_string(v));
        return lines;
    }

private:
    fs::path root_;
};

TEST_F(rules, includes_point_one_way) {
    write("net/a.cpp", "#include \"base/x.hpp\"\n#include \"net/y.hpp\"\n");
    EXPECT_THAT(found(), IsEmpty());
    write("net/b.cpp", "#include \"base/x.hpp\"\n\n#include \"storage/y.hpp\"\n");
    write("base/c.hpp", "# include \"server/api/y.hpp\"\n");
    EXPECT_THAT(
        found(),
        ElementsAre("base/c.hpp:1: includes a higher room", "net/b.cpp:3: includes a higher room")
    );
}

TEST_F(rules, folders_of_the_agent_include_those_below_them) {
    write("agent/speech/a.cpp", "#include \"agent/talk/x.hpp\"\n#include \"agent/speech/y.hpp\"\n");
    EXPECT_THAT(found(), IsEmpty());
    write("agent/talk/b.cpp", "#include \"agent/flow/run/x.hpp\"\n");
    write("agent/c.hpp", "#include \"agent/talk/y.hpp\"\n");
    EXPECT_THAT(
        found(),
        ElementsAre(
            "agent/c.hpp:1: stands beside the folders of agent/",
            "agent/talk/b.cpp:1: includes a folder of agent/ that is not below its own"
        )
    );
}

TEST_F(rules, a_new_folder_needs_a_rule) {
    write("agent/attic/a.cpp", "#include \"agent/flow/run/x.hpp\"\n");
    EXPECT_THAT(
        found(), ElementsAre("agent/attic/a.cpp:1: stands in a folder that agent/ has no rule for")
    );
}

TEST_F(rules, folders_of_the_queue_include_those_below_them) {
    write("queue/run/a.cpp", "#include \"queue/job.hpp\"\n#include \"queue/store/y.hpp\"\n");
    write("queue/b.cpp", "#include \"queue/node/y.hpp\"\n");
    EXPECT_THAT(found(), IsEmpty());
    write("queue/node/c.cpp", "#include \"queue/admin/y.hpp\"\n");
    write("queue/store/d.hpp", "#include \"queue/run/y.hpp\"\n");
    EXPECT_THAT(
        found(),
        ElementsAre(
            "queue/node/c.cpp:1: includes a folder of queue/ that is not below its own",
            "queue/store/d.hpp:1: includes a folder of queue/ that is not below its own"
        )
    );
}

TEST_F(rules, tests_may_include_any_room) {
    write("tests/unit/base/a.cpp", "#include \"server/api/y.hpp\"\n#include <pqxx/pqxx>\n");
    EXPECT_THAT(found(), IsEmpty());
}

TEST_F(rules, names_say_what_they_name) {
    write(
        "server/api/a.cpp",
        "// what one made\n"
        "auto text = \"how\" + one_more + R\"x(given\nwanted)\" these)x\";\n"
        "int most = 1'000; char c = '\\''; // one\n"
        "row.made = error.what();\n"
        "log(\"why\", parked.why, \"who is mine\"); // which\n"
    );
    write("tests/unit/net/a.cpp", "bool begun = wanted;\n");
    EXPECT_THAT(found(), IsEmpty());
    write("base/e.hpp", "bool enabled(level wanted);\n");
    write("server/api/b.cpp", "int total = 1;\nauto const& one = total;\nuse(*what);\n");
    write("queue/store/c.cpp", "auto x = R\"(\none)\"; int how;\n");
    write("agent/flow/d.cpp", "graph made;\nauto got = read();\nbool begun = false;\n");
    write("bench/g.cpp", "rate one;\n");
    write("docs/examples/a.cpp", "job what;\n");
    write("tests/unit/net/h.cpp", "int made = 0;\nstep thing;\nrow.made = 1;\n");
    write("storage/f.hpp", "node mine;\nfail(error why);\ndrop(key which);\ntell(person who);\n");
    EXPECT_THAT(
        found(),
        ElementsAre(
            "agent/flow/d.cpp:1: has a name that says nothing",
            "agent/flow/d.cpp:2: has a name that says nothing",
            "agent/flow/d.cpp:3: has a name that says nothing",
            "base/e.hpp:1: has a name that says nothing",
            "bench/g.cpp:1: has a name that says nothing",
            "docs/examples/a.cpp:1: has a name that says nothing",
            "queue/store/c.cpp:2: has a name that says nothing",
            "server/api/b.cpp:2: has a name that says nothing",
            "server/api/b.cpp:3: has a name that says nothing",
            "storage/f.hpp:1: has a name that says nothing",
            "storage/f.hpp:2: has a name that says nothing",
            "storage/f.hpp:3: has a name that says nothing",
            "storage/f.hpp:4: has a name that says nothing",
            "tests/unit/net/h.cpp:1: has a name that says nothing",
            "tests/unit/net/h.cpp:2: has a name that says nothing"
        )
    );
}

TEST_F(rules, names_in_sql_say_what_they_name) {
    write(
        "sql/functions/a.sql",
        "-- what one made isn't it\n"
        "comment on function postrider.f() is 'what is one''s, -- made\n"
        "how and why';\n"
        "select x.made, one_more, made_at from postrider.x; -- whose thing\n"
    );
    write("storage/sql/a.sql", "select 1 as one;\n");
    EXPECT_THAT(found(), IsEmpty());
    write(
        "sql/functions/b.sql",
        "create function postrider.thing(how text) returns int language plpgsql as $$\n"
        "declare\n"
        "    made bigint;\n"
        "begin\n"
        "    return job_put_off('how', wanted => 'it''s -- 1', due => made);\n"
        "end $$;\n"
    );
    write("sql/tables/0001_c.sql", "create table postrider.got (\n    what text -- how\n);\n");
    write("sql/views/d.sql", "create view postrider.v as\nselect 'a\nb' as one;\n");
    EXPECT_THAT(
        found(),
        ElementsAre(
            "sql/functions/b.sql:1: has a name that says nothing",
            "sql/functions/b.sql:3: has a name that says nothing",
            "sql/functions/b.sql:5: has a name that says nothing",
            "sql/tables/0001_c.sql:1: has a name that says nothing",
            "sql/tables/0001_c.sql:2: has a name that says nothing",
            "sql/views/d.sql:3: has a name that says nothing"
        )
    );
}

TEST_F(rules, texts_for_people_are_not_joined) {
    write(
        "agent/talk/a.cpp",
        "node{.documentation = \"On one \\\"line\\\".\", .title = \"x\"};\n"
        "node{.description = R\"(\n    On\n    \"two\".)\"_folded};\n"
        "node{.title = \"In \" \"pieces\"};\n"
    );
    write("tests/a.cpp", "node{.documentation = \"On \" \"one\"};\n");
    EXPECT_THAT(found(), IsEmpty());
    write(
        "agent/talk/b.cpp",
        "node{\n    .documentation =\n        \"On \"\n        \"two\",\n"
        "    .description = \"On \\\"\" \"one\"};\n"
    );
    EXPECT_THAT(
        found(),
        ElementsAre(
            "agent/talk/b.cpp:2: joins the pieces of a text",
            "agent/talk/b.cpp:5: joins the pieces of a text"
        )
    );
}

TEST_F(rules, a_test_file_has_a_namespace_of_its_own) {
    write("tests/unit/net/sse_test.cpp", "namespace postrider::net::sse_test {\n");
    write("tests/unit/net/test_server.cpp", "namespace postrider::net {\n");
    EXPECT_THAT(found(), IsEmpty());
    write("tests/unit/net/url_test.cpp", "namespace postrider::net {\n");
    EXPECT_THAT(
        found(), ElementsAre("tests/unit/net/url_test.cpp:1: has no namespace of its own name")
    );
}

TEST_F(rules, beast_and_openssl_stay_in_net) {
    auto const text = "#include <boost/beast/http.hpp>\n#include <openssl/ssl.h>\n";
    write("net/deep/a.cpp", text);
    EXPECT_THAT(found(), IsEmpty());
    write("server/api/a.cpp", text);
    EXPECT_THAT(
        found(),
        ElementsAre(
            "server/api/a.cpp:1: Beast and OpenSSL belong in net/",
            "server/api/a.cpp:2: Beast and OpenSSL belong in net/"
        )
    );
}

TEST_F(rules, pqxx_stays_in_storage_pg) {
    write("storage/pg/a.cpp", "#include <pqxx/pqxx>\n#include <libpq-fe.h>\n");
    EXPECT_THAT(found(), IsEmpty());
    write("storage/a.hpp", "#include <pqxx/pqxx>\n");
    write("queue/a.cpp", "#include <libpq-fe.h>\n");
    EXPECT_THAT(
        found(),
        ElementsAre(
            "queue/a.cpp:1: Postgres clients belong in storage/pg/",
            "storage/a.hpp:1: Postgres clients belong in storage/pg/"
        )
    );
}

TEST_F(rules, cli11_stays_behind_the_option_parser) {
    auto const text = "#include <CLI/App.hpp>\n";
    write("server/cli/parser/option_parser.cpp", text);
    write("server/cli/parser/command_line.cpp", text);
    write("bench/load.cpp", text);
    EXPECT_THAT(found(), IsEmpty());
    write("server/cli/options.hpp", text);
    EXPECT_THAT(
        found(),
        ElementsAre("server/cli/options.hpp:1: CLI11 stays behind server/cli/parser/option_parser")
    );
}

// covers: S2.03
TEST_F(rules, tasks_are_a_guest_of_agents) {
    auto const text = "#include \"agent/todo/task_family.hpp\"\n";
    write("agent/flow/nodes/tool_todo.cpp", text);
    EXPECT_THAT(found(), IsEmpty());
    write("agent/flow/nodes/agent.cpp", text);
    EXPECT_THAT(
        found(),
        ElementsAre("agent/flow/nodes/agent.cpp:1: tasks are a guest of agents: tool_todo.cpp "
                    "brings their tools")
    );
}

TEST_F(rules, tasks_are_reached_by_tools) {
    auto const text = "#include \"storage/stores/tasks.hpp\"\n";
    write("agent/todo/task_server.cpp", text);
    write("tests/integration/storage/task_rows.cpp", text);
    EXPECT_THAT(found(), IsEmpty());
    write("agent/todo/resolve.cpp", text);
    write("server/api/a.cpp", text);
    EXPECT_THAT(
        found(),
        ElementsAre(
            "agent/todo/resolve.cpp:1: tasks are reached by the tools of the todo server",
            "server/api/a.cpp:1: tasks are reached by the tools of the todo server"
        )
    );
}

TEST_F(rules, umbrella_headers_are_refused_everywhere) {
    write("net/a.cpp", "#include <boost/beast.hpp>\n");
    write("tests/a.cpp", "#include <boost/asio.hpp>\n");
    EXPECT_THAT(
        found(),
        ElementsAre(
            "net/a.cpp:1: includes all of Asio or Beast",
            "tests/a.cpp:1: includes all of Asio or Beast"
        )
    );
}

TEST_F(rules, only_the_clock_reads_the_time) {
    auto const text = "auto a = std::chrono::steady_clock::now();\n"
                      "auto b = std::chrono::system_clock::now ();\n"
                      "clock_gettime(CLOCK_MONOTONIC, &t);\n"
                      "auto c = time(nullptr);\n"
                      "auto d = clock.now();\n"
                      "// steady_clock::now() is for others\n";
    write("base/clock.cpp", text);
    EXPECT_THAT(found(), IsEmpty());
    write("queue/a.cpp", text);
    EXPECT_THAT(
        found(),
        ElementsAre(
            "queue/a.cpp:1: only base/clock reads the time",
            "queue/a.cpp:2: only base/clock reads the time",
            "queue/a.cpp:3: only base/clock reads the time",
            "queue/a.cpp:4: only base/clock reads the time"
        )
    );
}

TEST_F(rules, only_main_reads_the_environment) {
    auto const text = "auto a = std::getenv(\"HOME\");\nchar** all = environ;\nint environment;\n";
    write("server/main.cpp", text);
    write("tests/support/a.cpp", text);
    EXPECT_THAT(found(), IsEmpty());
    write("server/start/config.cpp", text);
    EXPECT_THAT(
        found(),
        ElementsAre(
            "server/start/config.cpp:1: only server/main.cpp reads the environment",
            "server/start/config.cpp:2: only server/main.cpp reads the environment"
        )
    );
}

TEST_F(rules, no_function_is_named_as_one_that_the_compiler_prefers) {
    write("net/a.cpp", "std::string quoted(std::string_view text);\ntoken quoted(bool raw);\n");
    EXPECT_THAT(found(), ElementsAre("net/a.cpp:1: std::quoted would be called in its place"));
}

TEST_F(rules, no_condition_of_a_loop_waits) {
    write(
        "net/a.cpp",
        "while (stopped() && !co_await leave()) co_await pause();\n"
        "while (!running.empty()) co_await idle.wait();\n"
        "while (auto line = co_await lines.next()) say(*line);\n"
        "while (!co_await leave()) co_await pause();\n"
    );
    EXPECT_THAT(
        found(),
        ElementsAre(
            "net/a.cpp:1: g++ 12 miscompiles co_await in a while condition",
            "net/a.cpp:4: g++ 12 miscompiles co_await in a while condition"
        )
    );
}

TEST_F(rules, a_file_ends_at_400_lines) {
    std::string text;
    for (int i = 0; i < 400; ++i) text += "\n";
    write("net/a.cpp", text);
    write("storage/sql/a.sql", text);
    EXPECT_THAT(found(), IsEmpty());
    write("net/b.hpp", text + "\n");
    write("storage/sql/b.sql", text + "\n");
    write("docs/b.md", text + "\n");
    EXPECT_THAT(
        found(),
        ElementsAre(
            "net/b.hpp:401: has more than 400 lines",
            "storage/sql/b.sql:401: has more than 400 lines"
        )
    );
}

TEST_F(rules, no_line_promises_later_work) {
    write("scripts/a", std::string("# mktemp -d x.XXXXXX\n# TO") + "DO: more\n");
    write("web/a.ts", std::string("// FIX") + "ME\n");
    EXPECT_THAT(
        found(), ElementsAre("scripts/a:2: promises later work", "web/a.ts:1: promises later work")
    );
}

TEST_F(rules, what_people_did_not_write_is_left_alone) {
    for (auto file : {"build/a.cpp", "web/node_modules/a.ts", ".git/a", "var/log.txt"})
        write(file, std::string("TO") + "DO\n");
    EXPECT_THAT(found(), IsEmpty());
}

TEST_F(rules, a_comment_ends_code_but_a_url_does_not) {
    write("net/a.cpp", "auto u = \"http://x\" + std::getenv(\"X\");\n// getenv(\"X\")\n");
    EXPECT_THAT(found(), ElementsAre("net/a.cpp:1: only server/main.cpp reads the environment"));
}

} // namespace
} // namespace postrider::tests::house_rules_test
