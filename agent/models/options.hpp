#pragma once
// What the configuration says of a model.
#include "agent/describe/bounds.hpp"
#include "agent/models/streaming.hpp"
#include "base/secret.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace postrider::agent {

struct model_options {
    std::string provider; // a name of provider.hpp's table
    std::string model;    // "" = the provider's default
    base::secret api_key; // may be empty: local servers want none
    std::string base_url; // "" = the vendor's
    std::string api;      // a name among provider::apis; "" = the first
    std::string version;  // of the API, where the provider has several; "" = the newest known
    std::chrono::milliseconds timeout = bounds::model_timeout.usual; // of one call
    agent::streaming stream = agent::streaming::watched;
    int max_tokens = bounds::entry_tokens.usual; // upper bound of what a request may ask for
    std::optional<bool> has_vision = {};         // none: as far as is known of the model
    std::optional<bool> takes_tools = {};        // likewise
};

} // namespace postrider::agent
