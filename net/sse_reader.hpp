#pragma once
// Server-sent events as they come in, in whatever pieces: the HTML standard's rules for readers.
// Pure.
#include "base/error.hpp"
#include "net/sse.hpp"

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

namespace postrider::net {

class sse_reader {
public:
    static constexpr std::size_t most_event = 16u << 20;
    static constexpr std::size_t most_name = 4u << 10; // of an event's id or type

    // The limit is of one event's data, in bytes.
    explicit sse_reader(std::size_t limit = most_event) : limit_(limit) {}

    // The events that these bytes complete; an event that is not completed never comes. too_large:
    // an event beyond a limit. It alone is lost; what else these bytes complete comes with the next
    // call.
    base::result<std::vector<sse_event>> read(std::string_view bytes);

    // What the data of the last event that was too large began with: as much as an id may have.
    std::string const& lost() const noexcept { return lost_; }

    // For a reader that comes back: the id of the last event that was whole, also of one without data,
    // and how long to wait.
    std::string const& last_id() const noexcept { return last_id_; }
    std::optional<std::chrono::milliseconds> retry() const noexcept { return retry_; }

private:
    void lose_event(std::string_view rest_of_line);
    void take_line();
    void take_field(std::string_view name, std::string_view value);

    std::size_t limit_;
    std::vector<sse_event> whole_; // and not yet given out
    std::string line_;
    sse_event event_; // its id is the last one that was sent
    std::string last_id_;
    std::string lost_;
    std::optional<std::chrono::milliseconds> retry_;
    bool has_data_ = false;
    bool is_too_large_ = false; // an event that these bytes go on with
    bool skips_ = false;        // until the event ends
    bool first_line_ = true;
    bool after_return_ = false; // a line feed that comes now belongs to the line before
};

} // namespace postrider::net
