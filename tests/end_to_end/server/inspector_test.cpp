// The protocol's own inspector against POST /mcp and `postrider mcp todo`: @modelcontextprotocol/inspector
// on its command line, which `scripts/setup --test` installs with a Node that runs it where there is npm.
// Skipped where it is absent.
#include "tests/end_to_end/server/child.hpp"
#include "tests/end_to_end/server/scene.hpp"
#include "tests/support/paths.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace postrider::tests::inspector_test {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using namespace std::chrono_literals;
using testing::ElementsAre;

fs::path module(std::string const& name) {
    return fs::absolute("build/node/node_modules/" + name);
}

using words = std::vector<std::string>;

struct carrier {
    std::string name;
    std::string era; // "" = standard input and output
};

class inspector : public testing::TestWithParam<carrier> {
protected:
    void SetUp() override {
        if (!fs::exists(program_) || !fs::exists(node_))
            GTEST_SKIP() << "no inspector in build/node: scripts/setup --test installs it";
        s_.emplace();
        s_->product().start();
        auto const created = s_->product().run(
            {"token", "create", "--user", base::to_string(alice), "--role", "user", "--name", "i"}
        );
        ASSERT_EQ(created.code, 0);
        auto const token_begin = created.out.find("prt_");
        auto const token_end = created.out.find_first_of(" \n", token_begin);
        token_ = created.out.substr(token_begin, token_end - token_begin);
    }

    struct outcome {
        int code = -1;
        json::value printed;
    };
    outcome inspect(words const& asked) {
        words all{node_.string(), program_.string(), "--cli"};
        auto add = [&all](words const& more) { all.insert(all.end(), more.begin(), more.end()); };
        bool const spawns = GetParam().era.empty();
        if (spawns) add({"-e", "DATABASE_URL=" + s_->database.url()});
        if (!spawns)
            add(
                {"--server-url",
                 s_->product().origin() + "/mcp",
                 "--transport",
                 "http",
                 "--header",
                 "Authorization: Bearer " + token_,
                 "--protocol-era",
                 GetParam().era}
            );
        add({"--format", "json", "--quiet"});
        add(asked);
        if (spawns)
            add({"--", built("postrider"), "mcp", "todo", "--user", base::to_string(alice)});
        auto const folder = s_->product().folder();
        auto const file = folder / ("inspected." + std::to_string(++inspections_));
        child process{all, file, {{"HOME", folder.string()}}};
        auto const code = process.wait(60s);
        boost::system::error_code unreadable;
        // Behind it stands what it thinks of it.
        auto const output = process.output();
        auto printed = json::parse(output.substr(0, output.find('\n')), unreadable);
        if (!code || unreadable) ADD_FAILURE() << output << s_->product().log();
        return {code.value_or(-1), std::move(printed)};
    }
    outcome call(std::string const& tool, std::string const& arguments) {
        return inspect(
            {"--method", "tools/call", "--tool-name", tool, "--tool-args-json", arguments}
        );
    }

    fs::path const program_ =
        module("@modelcontextprotocol/inspector/clients/launcher/build/index.js");
    fs::path const node_ = module("node/bin/node");
    std::optional<scene> s_;
    std::string token_;
    int inspections_ = 0;
};

TEST_P(inspector, finds_the_tools_and_calls_them) {
    auto const listed = inspect({"--method", "tools/list", "--strict"});
    auto const created = call("create_todo_task", R"({"title": "buy milk"})");
    auto const refused = call("complete_todo_task", R"({"task_id": 9})");

    EXPECT_EQ(listed.code, 0) << "schemas that other clients read as well";
    std::vector<std::string> names;
    for (auto const& tool : listed.printed.at("result").at("tools").as_array())
        names.emplace_back(tool.at("name").as_string());
    EXPECT_THAT(
        names,
        ElementsAre(
            "create_todo_task",
            "get_todo_task",
            "list_todo_tasks",
            "update_todo_task",
            "complete_todo_task",
            "delete_todo_task"
        )
    );
    EXPECT_EQ(created.code, 0);
    EXPECT_EQ(created.printed.at("result").at("structuredContent").at("title"), "buy milk");
    EXPECT_NE(refused.code, 0);
    EXPECT_EQ(s_->value("select user_id || ' ' || title from postrider.task"), "7001 buy milk");
}

INSTANTIATE_TEST_SUITE_P(
    by,
    inspector,
    testing::Values(
        carrier{"http_with_sessions", "legacy"},
        carrier{"http_without_sessions", "modern"},
        carrier{"standard_input", ""}
    ),
    [](auto const& each) { return each.param.name; }
);

} // namespace
} // namespace postrider::tests::inspector_test
