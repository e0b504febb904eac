// The table of reasons, and what people read of it.
#include "agent/talk/degradation.hpp"
#include "tests/support/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace postrider::agent::degradation_test {
namespace {

using testing::HasSubstr;

std::string text_of(std::string_view file) {
    std::ifstream in(tests::source(file));
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

TEST(degradation, has_the_same_words_in_the_code_the_reference_and_the_api) {
    auto const reference = text_of("docs/reference.md");
    auto const api = text_of("server/api/job_endpoints.openapi.json");

    for (auto const& kind : degradation_kinds()) {
        std::string const word(kind.word);
        EXPECT_EQ(degraded_by_from_string(word), kind.reason);
        EXPECT_EQ(to_string(kind.reason), word);
        EXPECT_THAT(reference, HasSubstr("| `" + word + "` |"));
        EXPECT_THAT(api, HasSubstr("        \"" + word + "\""));
    }
    EXPECT_FALSE(degraded_by_from_string("happy"));
}

TEST(degradation, of_two_the_graver_stays_and_of_two_alike_the_first) {
    std::optional<queue::degradation> known;

    keep_graver(known, degradation_of(degraded_by::tools_missing));
    EXPECT_EQ(known->reason, "tools_missing");
    EXPECT_EQ(known->error, base::errc::unavailable);
    keep_graver(known, degradation_of(degraded_by::undelivered, {base::errc::refused, "blocked"}));
    keep_graver(known, degradation_of(degraded_by::late));
    keep_graver(known, degradation_of(degraded_by::undelivered, {base::errc::refused, "again"}));

    EXPECT_EQ(known->reason, "undelivered");
    EXPECT_EQ(known->error.detail, "blocked");
}

} // namespace
} // namespace postrider::agent::degradation_test
