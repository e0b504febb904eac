#include "agent/flow/validate/validate.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::flow::validate_disabled_test {
namespace {

using testing::IsEmpty;
using tests::codes;
using tests::flow_text;
using tests::link_text;
using tests::node_text;
using tests::read_flow;

std::string list(std::initializer_list<std::string> parts) {
    std::string joined;
    for (auto const& part : parts) joined += (joined.empty() ? "" : ",") + part;
    return joined;
}

TEST(validate_disabled, a_node_lets_items_pass) {
    auto const text = flow_text(
        list(
            {node_text("in", "manual"),
             node_text("off", "set", R"("fields":{})", R"("disabled":true)"),
             node_text("a", "agent"),
             node_text("m", "model")}
        ),
        list(
            {link_text("in", "off"),
             link_text("off", "a"),
             link_text("m", "a", R"("type":"ai_model")")}
        )
    );
    EXPECT_THAT(codes(validate(read_flow(text), builtin_types(), {})), IsEmpty());
}

TEST(validate_disabled, a_model_is_none) {
    auto const text = flow_text(
        list(
            {node_text("in", "manual"),
             node_text("a", "agent"),
             node_text("m1", "model", "", R"("disabled":true)"),
             node_text("m2", "model")}
        ),
        list(
            {link_text("in", "a"),
             link_text("m1", "a", R"("type":"ai_model")"),
             link_text("m2", "a", R"("type":"ai_model")")}
        )
    );
    EXPECT_THAT(codes(validate(read_flow(text), builtin_types(), {})), IsEmpty());
}

} // namespace
} // namespace postrider::agent::flow::validate_disabled_test
