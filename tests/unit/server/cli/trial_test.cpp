#include "server/cli/trial.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace postrider::cli::trial_test {
namespace {

TEST(trial, shows_both_sides) {
    auto const comparison = boost::json::parse(R"({"node": "ask",
        "original": {"job_id": 42, "state": "completed", "model": "big", "text": "It is 2.", "error": null,
            "calls": [{"tool": "calculator", "arguments": {"expression": "1+1"}, "result": "2",
                       "error": null, "recorded": false}],
            "tokens_in": 30, "tokens_out": 6, "tokens_cached": 0, "cost": 0.25},
        "trial": {"job_id": 77, "state": "failed", "model": null, "text": null, "error": "refused: no credit",
            "calls": [], "tokens_in": 0, "tokens_out": 0, "tokens_cached": 0, "cost": null}})");

    EXPECT_EQ(
        comparison_text(comparison),
        "Original: job 42, completed, big\n"
        "  tokens 30 in, 6 out, $0.002500\n"
        "  calculator {\"expression\":\"1+1\"}\n"
        "\nIt is 2.\n"
        "\nTrial: job 77, failed, no model replied\n"
        "  tokens 0 in, 0 out\n"
        "  refused: no credit\n"
    );
}

} // namespace
} // namespace postrider::cli::trial_test
