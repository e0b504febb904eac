#pragma once
// What a model's tokens cost, in US dollars: the configured prices, and where there is none and the
// vendor itself is asked, the prices of the vendor's list that ships with the product.
#include "server/start/config.hpp"

namespace postrider::server {

// Of the model of this name behind the configured entry. Zeros: not known.
agent::token_prices prices_of(
    config const& settings, std::string const& entry, std::string_view model
);

} // namespace postrider::server
