#pragma once
// How far a client has come on its one stream: a place for each topic that has one. As the id of an event
// it is "jobs=1f2e-7;execution:12=7.2". Pure.
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace postrider::api {

// A stream has few topics, and a place may list the transactions that were open.
inline constexpr std::size_t longest_stream_position = 16u << 10;

class stream_position {
public:
    // Nothing: no event had such an id.
    static std::optional<stream_position> from(std::string_view text);

    void set(std::string const& topic, std::string place) { places_[topic] = std::move(place); }
    // "" = none
    std::string_view at(std::string_view topic) const;
    std::string text() const;
    // What stands before and behind the topic's place in the text, whatever that place is.
    std::pair<std::string, std::string> text_around(std::string_view topic) const;
    // The places of these topics alone.
    stream_position of(std::span<std::string const> topics) const;

private:
    std::map<std::string, std::string, std::less<>> places_;
};

} // namespace postrider::api
