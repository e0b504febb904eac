#pragma once
// Feeds for the nodes that read them: fetched from public addresses alone.
#include "agent/flow/node_run.hpp"
#include "agent/formats/feed.hpp"
#include "base/backoff.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent::flow {

// unavailable, rate_limited, timeout: may pass; refused: the server's answer, or an address that is not
// public; invalid: the text is no feed.
base::awaitable<base::result<std::vector<formats::feed_entry>>> fetch_feed(
    node_services const& services, std::string url
);

boost::json::object to_json(formats::feed_entry const& entry);

// Of the step that fetches one.
base::retry_policy feed_tries(node_run const& run);

} // namespace postrider::agent::flow
