#include "tests/unit/agent/flow/declared_items.hpp"

#include "agent/json_schema/json_schema.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <algorithm>

namespace postrider::tests {

namespace flow = agent::flow;
namespace json = boost::json;

namespace {

bool came_in(flow::items const& input, json::value const& item) {
    return std::ranges::any_of(input, [&](flow::item const& entry) { return *entry.json == item; });
}

// Properties are all the fields, unless a mark says that there are more.
void expect_no_others(json::object const& schema, json::value const& item) {
    auto const* properties = schema.if_contains("properties");
    auto const* fields = item.if_object();
    if (!properties || !fields || schema.contains("x-same") || schema.contains("x-fields")) return;
    for (auto const& field : *fields)
        EXPECT_TRUE(properties->as_object().contains(field.key()))
            << field.key() << " is not declared";
}

} // namespace

void expect_declared(
    flow::node_type const& type,
    flow::node const& node,
    flow::items const& input,
    flow::outputs const& output
) {
    auto const ports = flow::outputs_of(type, node);
    for (auto const& [name, items] : output) {
        auto port = std::ranges::find(ports, name, &flow::port::name);
        // Its name came of an expression, in a flow that was published before that was refused.
        if (port == ports.end())
            port = std::ranges::find_if(ports, [](flow::port const& entry) {
                return !entry.from_parameter.empty();
            });
        ASSERT_NE(port, ports.end()) << type.name << " has no output " << name;
        for (auto const& item : items) {
            SCOPED_TRACE(type.name + ": " + json::serialize(*item.json));
            if (flow::has_same_items(*port)) {
                EXPECT_TRUE(came_in(input, *item.json));
            } else if (auto const* schema = flow::item_schema(*port)) {
                auto const compiled = agent::json_schema::compile(*schema);
                ASSERT_TRUE(compiled);
                EXPECT_TRUE(compiled->check(*item.json).empty());
                expect_no_others(*schema, *item.json);
            }
        }
    }
}

} // namespace postrider::tests
