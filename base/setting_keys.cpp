#include "base/setting_keys.hpp"

#include <algorithm>

namespace postrider::base {

std::optional<std::string> name_in(std::string_view pattern, std::string_view key) {
    auto star = pattern.find('*');
    if (star == pattern.npos) return std::nullopt;
    auto head = pattern.substr(0, star);
    auto tail = pattern.substr(star + 1);
    if (key.size() <= head.size() + tail.size() || !key.starts_with(head) || !key.ends_with(tail))
        return std::nullopt;
    auto name = key.substr(head.size(), key.size() - head.size() - tail.size());
    if (name.find('.') != name.npos) return std::nullopt;
    return std::string(name);
}

std::string with_name(std::string_view pattern, std::string_view name) {
    auto star = pattern.find('*');
    return std::string(pattern.substr(0, star)).append(name).append(pattern.substr(star + 1));
}

std::string key_like(std::string_view pattern, std::string_view key) {
    auto star = pattern.find('*');
    if (star == pattern.npos || !key.starts_with(pattern.substr(0, star)))
        return std::string(pattern);
    auto rest = key.substr(star);
    return with_name(pattern, rest.substr(0, rest.find('.')));
}

std::string section_like(std::string_view pattern, std::string_view key) {
    std::string section;
    while (true) {
        auto const end = pattern.find('.');
        if (end == pattern.npos) return {};
        auto const segment = pattern.substr(0, end);
        auto const key_end = std::min(key.find('.'), key.size());
        section += segment == "*" ? key.substr(0, key_end) : segment;
        if (key_end == key.size()) return section;
        section += '.';
        pattern.remove_prefix(end + 1);
        key.remove_prefix(key_end + 1);
    }
}

} // namespace postrider::base
