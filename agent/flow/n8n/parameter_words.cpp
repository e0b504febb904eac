#include "agent/flow/n8n/parameter_words.hpp"

#include "base/ascii.hpp"

#include <boost/json/value.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace postrider::agent::flow::n8n {

namespace json = boost::json;

namespace {

constexpr std::array<std::string_view, 11> capitals{
    "api", "css", "csv", "html", "http", "id", "js", "json", "sql", "url", "xml"};

// "systemMessage" is System Message.
std::string title_of(std::string_view name) {
    std::string title;
    while (!name.empty()) {
        auto const end =
            std::min(name.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", 1), name.size());
        auto word = base::to_lower(std::string(name.substr(0, end)));
        name.remove_prefix(end);
        std::erase(word, '_');
        if (word.empty()) continue;
        bool const is_short = std::ranges::find(capitals, word) != capitals.end();
        for (auto& letter : std::span(word).first(is_short ? word.size() : 1))
            if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
        title += (title.empty() ? "" : " ") + word;
    }
    return title;
}

std::string path_with(json::value const& value, std::string_view text);

template<class Members>
std::string path_among(Members const& members, std::string_view text) {
    for (auto const& [name, member] : members) {
        auto const path = path_with(member, text);
        if (!path.empty()) return fmt::format("{}{}", std::string_view(name), path);
    }
    return {};
}

// Begins with a dot, where there is more; "." is the value itself.
std::string path_with(json::value const& value, std::string_view text) {
    if (auto const* written = value.if_string())
        return written->find(text) == json::string::npos ? "" : ".";
    if (auto const* object = value.if_object()) {
        auto const path = path_among(*object, text);
        return path.empty() ? "" : "." + path;
    }
    auto const* array = value.if_array();
    for (std::size_t n = 0; array && n < array->size(); ++n)
        if (auto const path = path_with((*array)[n], text); !path.empty())
            return fmt::format(".{}{}", n, path);
    return {};
}

} // namespace

std::string parameter_words(std::string_view path) {
    std::string words;
    while (!path.empty()) {
        auto const segment = path.substr(0, path.find('.'));
        path.remove_prefix(std::min(segment.size() + 1, path.size()));
        std::size_t number = 0;
        auto const [end, wrong] =
            std::from_chars(segment.data(), segment.data() + segment.size(), number);
        bool const is_number = wrong == std::errc() && end == segment.data() + segment.size();
        if (is_number)
            words += fmt::format(" {}", number + 1);
        else if (!segment.empty())
            words += (words.empty() ? "" : " > ") + title_of(segment);
    }
    return words;
}

std::string parameter_with(json::object const& parameters, std::string_view text) {
    return text.empty() ? std::string() : parameter_words(path_among(parameters, text));
}

} // namespace postrider::agent::flow::n8n
