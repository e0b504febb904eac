// uuid(): new where it is asked for, and the same when an evaluation is replayed.
#include "agent/expression/template.hpp"
#include "tests/unit/agent/expression/shown.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::ids_test {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

class identified_scope final : public scope {
public:
    explicit identified_scope(std::string identity) : identity_(std::move(identity)) {}

    boost::json::value const* variable(std::string_view) const override { return nullptr; }
    boost::json::value const* node(std::string_view) const override { return nullptr; }
    std::string identity() const override { return identity_; }

private:
    std::string identity_;
};

// covers: S3.18
TEST(expression_ids, repeat_with_the_identity_and_differ_within_it) {
    identified_scope const first("7/a/0"), second("7/a/1");
    constexpr std::string_view two = "[uuid(), uuid()]";
    EXPECT_EQ(shown(two, first), shown(two, first));
    EXPECT_NE(shown(two, first), shown(two, second));
    EXPECT_EQ(shown("[uuid(), uuid()].distinct().size()", first), "2");
    EXPECT_EQ(shown("range(100).map(i, uuid()).distinct().size()", first), "100");
    EXPECT_THAT(
        shown("uuid()", first),
        MatchesRegex("\"[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\"")
    );
}

TEST(expression_ids, differ_between_the_places_of_a_parameter) {
    identified_scope const names("7/a/0");
    auto const parameter = parameter_template::compile({"{{ uuid() }}", "id: {{ uuid() }}"});
    auto const ids = parameter->evaluate(names)->as_array();
    EXPECT_NE("id: " + std::string(ids[0].as_string()), ids[1].as_string());
    EXPECT_EQ(*parameter->evaluate(names), boost::json::value(ids));
}

// A flow that makes ids is asked for the execution and its time.
TEST(expression_ids, read_the_execution) {
    EXPECT_THAT(
        expression::parse("uuid()")->references().variables,
        testing::ElementsAre("$execution", "$now")
    );
    auto const places = expression::parse("1 + uuid()")->mentions();
    ASSERT_EQ(places.size(), 1u);
    EXPECT_EQ(places[0].name, "$execution");
    EXPECT_EQ(places[0].column, 5u);
    EXPECT_THAT(shown("uuid()", identified_scope("")), HasSubstr("no execution"));
}

} // namespace
} // namespace postrider::agent::ids_test
