#pragma once
// Which jobs a command means, from the command line's words to a filter. Pure, but for the time of
// "so long ago".
#include "base/error.hpp"
#include "queue/admin/operations.hpp"
#include "server/cli/options.hpp"

#include <string>
#include <vector>

namespace postrider::cli {

// What is empty does not restrict.
struct job_choice {
    std::vector<std::string> states;
    std::string reason; // why it is degraded
    std::string kind;
    std::string lane;
    std::string lane_text;
    std::string flow;
    std::string error_class;
    std::string after; // base/time_text.hpp
    std::string before;

    bool operator==(job_choice const&) const = default;
};

// "--state": what a job must be in; "--reason": why it is degraded.
void add_states(option_parser& parser, job_choice& choice);
// "--after" and "--before".
void add_times(option_parser& parser, job_choice& choice);
// All of them.
void add_choice(option_parser& parser, job_choice& choice);

// What was probably meant by its error class, where that is none of a server's; or "".
std::string error_class_hint(job_choice const& choice);

// errc::invalid, with what is wrong, for an instant that is none.
base::result<queue::job_filter> filter_of(job_choice const& choice);

} // namespace postrider::cli
