#include "agent/failure_text.hpp"
#include "agent/prompt.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

base::sys_time const noon{std::chrono::seconds{1'795'000'000}};

// covers: S0.09
TEST(system_prompt, has_persona_and_tools) {
    auto prompt = system_prompt("You are a gardener.", {{"dig", "Digs a hole.", {}}});

    EXPECT_THAT(prompt, StartsWith("You are a gardener."));
    EXPECT_THAT(prompt, HasSubstr("- dig: Digs a hole."));
}

// covers: S0.09
TEST(system_prompt, says_that_there_are_no_tools) {
    EXPECT_THAT(system_prompt("", {}), HasSubstr("You have no tools."));
    EXPECT_THAT(system_prompt("", {{"dig", "", {}}}), Not(HasSubstr("You have no tools.")));
}

TEST(current_time_note, tells_the_time) {
    EXPECT_THAT(current_time_note(noon), HasSubstr(base::to_iso8601(noon)));
}

TEST(system_prompt, has_a_persona_when_none_is_configured) {
    EXPECT_THAT(system_prompt("", {}), StartsWith(std::string(default_persona)));
}

TEST(failure_text, tells_apart_who_can_mend_it) {
    using base::errc;
    for (auto code : {errc::unauthorized, errc::not_found, errc::budget})
        EXPECT_THAT(std::string(failure_text(code)), HasSubstr("tell the person who runs me"));
    for (auto code :
         {errc::timeout, errc::overloaded, errc::rate_limited, errc::unavailable, errc::internal})
        EXPECT_THAT(std::string(failure_text(code)), HasSubstr("ask again"));
    for (auto code : {errc::overloaded, errc::rate_limited})
        EXPECT_THAT(std::string(failure_text(code)), Not(HasSubstr("few minutes")))
            << "it may have asked for hours";
}

} // namespace
} // namespace postrider::agent
