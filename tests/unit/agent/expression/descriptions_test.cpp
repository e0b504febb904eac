// What an editor offers of the language.
#include "agent/expression/descriptions.hpp"
#include "agent/expression/functions.hpp"
#include "agent/expression/macros.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace postrider::agent::expressions::descriptions_test {
namespace {

using testing::IsEmpty;
using testing::Not;

function_description described(std::string_view name) {
    auto const descriptions = describe_functions();
    auto const place = std::ranges::find(descriptions, name, &function_description::name);
    if (place != descriptions.end()) return *place;
    ADD_FAILURE() << "there is no " << name;
    return {};
}

TEST(function_descriptions, are_of_every_function_and_macro) {
    auto const count = function_names().size() + macros().size();
    EXPECT_GE(describe_functions().size(), macros().size() + 100);
    EXPECT_LE(describe_functions().size(), count + 2);
    for (auto const& description : describe_functions()) {
        EXPECT_THAT(description.help, Not(IsEmpty())) << description.name;
        EXPECT_THAT(description.examples, Not(IsEmpty())) << description.name;
        EXPECT_THAT(description.family, Not(IsEmpty())) << description.name;
    }
}

TEST(function_descriptions, say_how_each_is_written) {
    auto const pad = described("padEnd");
    EXPECT_EQ(pad.signature, "value.padEnd(a, b?)");
    EXPECT_TRUE(pad.is_method);
    EXPECT_EQ(pad.family, "Strings");
    EXPECT_EQ(pad.examples.at(0).source, R"("ab".padEnd(4, "."))");
    EXPECT_EQ(pad.examples.at(0).result, R"("ab..")");
    EXPECT_EQ(described("strings.quote").signature, "strings.quote(a)");
    EXPECT_FALSE(described("strings.quote").is_method);
    EXPECT_EQ(described("map").signature, "value.map(x1, expression, expression?)");
    EXPECT_EQ(described("filter").signature, "value.filter(x1, x2?, expression)");
    EXPECT_EQ(described("max").examples.empty(), false);
    EXPECT_EQ(described("has").family, "Macros");
}

} // namespace
} // namespace postrider::agent::expressions::descriptions_test
