#include "server/api/stream_position.hpp"

#include <algorithm>

namespace postrider::api {

std::optional<stream_position> stream_position::from(std::string_view text) {
    if (text.size() > longest_stream_position) return std::nullopt;
    stream_position position;
    while (!text.empty()) {
        auto const part = text.substr(0, text.find(';'));
        text.remove_prefix(std::min(part.size() + 1, text.size()));
        auto const equals = part.find('=');
        if (equals == std::string_view::npos || equals == 0) return std::nullopt;
        std::string topic(part.substr(0, equals));
        auto const [place, is_new] =
            position.places_.emplace(std::move(topic), part.substr(equals + 1));
        if (!is_new) return std::nullopt;
    }
    return position;
}

std::string_view stream_position::at(std::string_view topic) const {
    auto const place = places_.find(topic);
    return place == places_.end() ? std::string_view() : std::string_view(place->second);
}

stream_position stream_position::of(std::span<std::string const> topics) const {
    stream_position part;
    for (auto const& topic : topics)
        if (auto const place = places_.find(topic); place != places_.end())
            part.places_.insert(*place);
    return part;
}

std::pair<std::string, std::string> stream_position::text_around(std::string_view topic) const {
    std::string before;
    std::string behind;
    for (auto const& [other, place] : places_) {
        if (other < topic) before.append(other).append("=").append(place).append(";");
        if (other > topic) behind.append(";").append(other).append("=").append(place);
    }
    return {before.append(topic).append("="), behind};
}

std::string stream_position::text() const {
    std::string text;
    for (auto const& [topic, place] : places_) {
        if (!text.empty()) text += ';';
        text.append(topic).append("=").append(place);
    }
    return text;
}

} // namespace postrider::api
