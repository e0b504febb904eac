// Tools that go with every request are written once.
#include "agent/models/tool_list.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::tool_list_test {
namespace {

int written = 0;

std::string write_names(tool_list const& tools) {
    ++written;
    std::string names;
    for (auto const& tool : tools) names += tool.name + ";";
    return names;
}

std::string write_count(tool_list const& tools) {
    return std::to_string(tools.size());
}

TEST(tool_list, is_declared_once_for_each_api_whichever_copy_asks) {
    written = 0;
    tool_list const tools{{"add", "Adds.", {}}, {"now", "Tells the time.", {}}};
    auto const copy = tools;

    EXPECT_EQ(copy.declared_by(write_names), "add;now;");
    EXPECT_EQ(tools.declared_by(write_names), "add;now;");
    EXPECT_EQ(tools.declared_by(write_count), "2");
    EXPECT_EQ(written, 1);
    EXPECT_EQ(&copy.at(0), &tools.at(0)) << "a copy copies no schemas";
}

TEST(tool_list, of_no_tools_is_an_empty_list) {
    EXPECT_TRUE(tool_list().empty());
    EXPECT_EQ(tool_list().declared_by(write_names), "[]");
}

} // namespace
} // namespace postrider::agent::tool_list_test
