#pragma once
// What a flow may say about its answer to an HTTP request. Pure.
#include <string_view>

namespace postrider::agent::flow {

// Why the header is left out; "" = it is sent.
std::string_view why_left_out(std::string_view name, std::string_view value);

} // namespace postrider::agent::flow
