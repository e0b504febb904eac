#pragma once
// A past turn of an agent again, with another model or system prompt, by the running server. It waits for its
// end, then prints both sides.
#include "server/cli/command.hpp"
#include "server/cli/options.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <string>

namespace postrider::cli {

struct trial_options {
    std::string model; // "" = the agent's own
    std::string system_prompt;
    std::string node;
    std::string address;
};

void add_trial(option_parser& parser, trial_options& options);

// The exit code: 1 where the trial failed, too.
int try_again(context const& in, std::int64_t job, trial_options const& options);

// Of the API's comparison. Pure.
std::string comparison_text(boost::json::value const& comparison);

} // namespace postrider::cli
