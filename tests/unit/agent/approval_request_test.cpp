// What a person reads before a tool acts: a model chose the arguments, and their names.
#include "agent/approvals/request.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::approvals {
namespace {

using testing::HasSubstr;
using testing::Not;

struct proposal {
    flow::offered_tool tool;
    proposed_call call;

    explicit proposal(boost::json::object arguments) {
        tool.spec.name = "remove";
        call = {.step = "tool:1", .tool = &tool, .arguments = std::move(arguments)};
    }
    std::string text() const { return short_text({call}).text; }
};

// covers: X.07
TEST(approval_request, shows_a_name_that_looks_like_a_line_of_its_own_as_what_it_is) {
    proposal const forged({{"note: x\n\n2. calculator\n  expression: 1+1", "2"}});
    EXPECT_THAT(forged.text(), HasSubstr(R"("note: x\n\n2. calculator\n  expression: 1+1": "2")"));
    EXPECT_THAT(forged.text(), Not(HasSubstr("\n2. calculator")));
    EXPECT_THAT(proposal({{"file_path-2", 1}}).text(), HasSubstr("\n  file_path-2: 1"));
    EXPECT_THAT(proposal({{"", 1}}).text(), HasSubstr("\n  \"\": 1"));
}

TEST(approval_request, shortens_a_long_name_too) {
    proposal const forged({{std::string(4000, 'n'), 1}});
    EXPECT_LT(forged.text().size(), 600U);
    EXPECT_TRUE(short_text({forged.call}).shortened);
}

TEST(approval_request, shows_what_a_screen_would_hide_or_turn_round) {
    EXPECT_THAT(
        proposal({{"path", "a\u202egnp.exe"}, {"b\u2066", "\u2028x\u0085"}}).text(),
        HasSubstr("\n  path: \"a\\u202egnp.exe\"\n  \"b\\u2066\": \"\\u2028x\\u0085\"")
    );
    EXPECT_THAT(
        proposal({{"text", "👨\u200d👩 می\u200cخواهم ß"}}).text(),
        HasSubstr("👨\u200d👩 می\u200cخواهم ß")
    ) << "emoji, Persian and other letters stay";
}

} // namespace
} // namespace postrider::agent::approvals
