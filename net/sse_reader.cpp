#include "net/sse_reader.hpp"

#include <charconv>

namespace postrider::net {

namespace {

constexpr std::chrono::milliseconds longest_retry = std::chrono::hours{24};

} // namespace

base::result<std::vector<sse_event>> sse_reader::read(std::string_view bytes) {
    while (!bytes.empty()) {
        if (std::exchange(after_return_, false) && bytes.front() == '\n') bytes.remove_prefix(1);
        auto const end = bytes.find_first_of("\r\n");
        auto const part = bytes.substr(0, end);
        auto const held = line_.size() + event_.data.size();
        if (!skips_ && part.size() > limit_ - std::min(limit_, held)) lose_event(part);
        if (!skips_)
            line_ += part;
        else if (!part.empty())
            line_ = ":"; // a comment
        if (end == bytes.npos) break;
        after_return_ = bytes[end] == '\r';
        bytes.remove_prefix(end + 1);
        take_line();
        line_.clear();
    }
    if (std::exchange(is_too_large_, false))
        return base::error(base::errc::too_large, "an event is too large");
    return std::exchange(whole_, {});
}

void sse_reader::lose_event(std::string_view rest_of_line) {
    constexpr std::string_view data = "data:";
    is_too_large_ = skips_ = true;
    line_ += rest_of_line.substr(0, most_name);
    lost_ = event_.data.substr(0, most_name);
    if (line_.starts_with(data)) lost_.append(line_, data.size(), most_name - lost_.size());
    event_.data.clear();
    has_data_ = false;
}

void sse_reader::take_line() {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    std::string_view line = line_;
    if (std::exchange(first_line_, false) && line.starts_with(byte_order_mark))
        line.remove_prefix(byte_order_mark.size());
    if (line.empty()) {
        skips_ = false;
        last_id_ = event_.id;
        if (std::exchange(has_data_, false)) {
            event_.data.pop_back(); // the last line's break
            whole_.push_back(event_);
        }
        event_.type.clear();
        event_.data.clear();
        return;
    }
    auto const colon = line.find(':');
    if (colon == 0) return; // a comment
    auto value = colon == line.npos ? std::string_view() : line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    take_field(line.substr(0, colon), value);
}

void sse_reader::take_field(std::string_view name, std::string_view value) {
    // Each event that follows repeats the id: a long one would take far more memory than was sent.
    if ((name == "id" || name == "event") && value.size() > most_name) return lose_event({});
    if (name == "data") {
        event_.data.append(value).append("\n");
        has_data_ = true;
    } else if (name == "event") {
        event_.type = value;
    } else if (name == "id" && value.find('\0') == value.npos) {
        event_.id = value;
    } else if (name == "retry") {
        std::int64_t delay = 0;
        auto const end = value.data() + value.size();
        auto const read = std::from_chars(value.data(), end, delay);
        // Digits only, and no more than a timer can hold.
        if (read.ec == std::errc() && read.ptr == end && delay >= 0)
            retry_ = std::min(std::chrono::milliseconds{delay}, longest_retry);
    }
}

} // namespace postrider::net
