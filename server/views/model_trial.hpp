#pragma once
// One tiny question to a configured model, for a person who wants to know whether it works. It costs what a call
// costs. On the executor's thread.
#include "agent/models/model.hpp"
#include "server/start/config.hpp"
#include "storage/stores/budgets.hpp"

#include <boost/json/object.hpp>

#include <string>

namespace postrider::server {

struct model_trial {
    std::string provider;
    std::string model; // as it was asked for, or as the provider calls it
    std::string answer = {};
    agent::token_usage usage = {};
    std::int64_t cost_micro = 0; // millionths of a US dollar; 0 = not known
    std::chrono::milliseconds took{0};
    std::optional<base::error> failure = {};
};

// The most that it may spend. `entry` is a name of [models].
storage::spending most_of_trial(config const& settings, std::string const& entry);
inline constexpr std::chrono::seconds longest_trial{30};

base::awaitable<model_trial> try_model(
    config const& settings, std::string entry, net::http_client& http, base::clock& clock
);

// What a failure of a model means for the person who set it up, then the provider's own words. Pure.
std::string failure_in_words(base::error const& failure);

boost::json::object to_json(std::string const& entry, model_trial const& trial);

} // namespace postrider::server
