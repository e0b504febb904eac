#pragma once
// What a failure has beside its code and its words, for the record: {"reason", "until"}. Pure.
#include "base/error.hpp"

#include <boost/json/value.hpp>

namespace postrider::base {

// Null where it has nothing else.
boost::json::value data_of(error const& failure);
// Gives it back what data_of() had; null and unknown members change nothing.
void add_data(error& failure, boost::json::value const& data);

} // namespace postrider::base
