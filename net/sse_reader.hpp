#pragma once
// Server-sent events as they come in, in whatever pieces: the HTML standard's rules for readers.
// Pure. Reconnection times are skipped.
#include "base/error.hpp"
#include "net/sse.hpp"

#include <string_view>
#include <vector>

namespace postrider::net {

class sse_reader {
public:
    static constexpr std::size_t most_event = 16u << 20; // bytes of one event

    // The events that these bytes complete; an event that is not completed never comes. too_large:
    // an event beyond the limit.
    base::result<std::vector<sse_event>> read(std::string_view bytes);

private:
    void take_line(std::vector<sse_event>& whole);
    void take_field(std::string_view name, std::string_view value);

    std::string line_;
    sse_event event_; // its id is the last one that was sent
    bool has_data_ = false;
    bool first_line_ = true;
    bool after_return_ = false; // a line feed that comes now belongs to the line before
};

} // namespace postrider::net
