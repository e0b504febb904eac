#include "tests/unit/house/room_folders.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::room_folders_test {
namespace {

bool may_include(std::string const& file, std::string const& path) {
    return !crosses_folders(file, "#include \"" + path + "\"");
}

TEST(room_folders, of_the_server_include_those_below_them) {
    EXPECT_TRUE(may_include("server/hooks/a.cpp", "server/api/x.hpp"));
    EXPECT_TRUE(may_include("server/cli/commands/a.cpp", "server/app/x.hpp"));
    EXPECT_TRUE(may_include("server/main.cpp", "server/cli/x.hpp"));
    EXPECT_TRUE(may_include("server/chat/a.cpp", "agent/talk/x.hpp"));
    EXPECT_FALSE(may_include("server/api/a.cpp", "server/bots/x.hpp"));
    EXPECT_FALSE(may_include("server/app/a.cpp", "server/cli/x.hpp"));
    EXPECT_FALSE(may_include("server/start/a.cpp", "server/api/x.hpp"));
    EXPECT_FALSE(may_include("server/telemetry/a.cpp", "server/start/x.hpp"));
}

TEST(room_folders, within_a_folder_include_those_below_them) {
    EXPECT_TRUE(may_include("agent/flow/run/a.cpp", "agent/flow/chat/x.hpp"));
    EXPECT_TRUE(may_include("agent/flow/nodes/a.cpp", "agent/flow/node_run.hpp"));
    EXPECT_FALSE(may_include("agent/flow/chat/a.cpp", "agent/flow/run/x.hpp"));
    EXPECT_FALSE(may_include("agent/flow/node_run.hpp", "agent/flow/parts/x.hpp"));
    EXPECT_FALSE(may_include("agent/talk/a.cpp", "agent/flow/run/x.hpp"));
    EXPECT_FALSE(may_include("agent/language/times/a.cpp", "agent/language/reading/x.hpp"));
}

TEST(room_folders, of_the_command_line_keep_the_parser_from_its_commands) {
    EXPECT_TRUE(may_include("server/cli/run.cpp", "server/cli/parser/x.hpp"));
    EXPECT_TRUE(may_include("server/cli/commands/a.cpp", "server/cli/x.hpp"));
    EXPECT_FALSE(may_include("server/cli/parser/a.cpp", "server/cli/x.hpp"));
    EXPECT_FALSE(may_include("server/cli/a.cpp", "server/api/x.hpp"));
}

TEST(room_folders, never_include_each_other) {
    EXPECT_THAT(rules_that_point_up(), testing::IsEmpty());
}

TEST(room_folders, are_all_in_a_table) {
    EXPECT_TRUE(stands_in_unknown_folder("agent/attic/a.cpp"));
    EXPECT_FALSE(stands_in_unknown_folder("agent/language/languages/a.cpp"))
        << "the outer one counts";
    EXPECT_FALSE(stands_in_unknown_folder("queue/job.hpp"));
    EXPECT_FALSE(stands_in_unknown_folder("base/json/a.hpp")) << "that room has no table";
}

TEST(room_folders, hold_all_files_of_the_server_but_main) {
    EXPECT_FALSE(stands_beside_folders("server/main.cpp"));
    EXPECT_FALSE(stands_beside_folders("server/app/app.hpp"));
    EXPECT_TRUE(stands_beside_folders("server/app.hpp"));
    EXPECT_FALSE(stands_beside_folders("base/a.hpp")) << "that room has none";
}

} // namespace
} // namespace postrider::tests::room_folders_test
