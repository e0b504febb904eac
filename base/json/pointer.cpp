#include "base/json/pointer.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <charconv>

namespace postrider::base {

namespace json = boost::json;

std::string pointer_step(std::string_view member) {
    std::string step;
    for (char c : member) {
        if (c == '~')
            step += "~0";
        else if (c == '/')
            step += "~1";
        else
            step += c;
    }
    return step;
}

std::string below(std::string_view pointer, std::string_view member) {
    return std::string(pointer) + '/' + pointer_step(member);
}

std::string below(std::string_view pointer, std::size_t index) {
    return std::string(pointer) + '/' + std::to_string(index);
}

std::optional<std::vector<std::string>> steps_of(std::string_view pointer) {
    std::vector<std::string> steps;
    if (pointer.empty()) return steps;
    if (pointer.front() != '/') return std::nullopt;
    for (std::size_t i = 0; i < pointer.size(); ++i) {
        if (pointer[i] == '/') {
            steps.emplace_back();
        } else if (pointer[i] == '~') {
            auto const escaped = pointer.substr(++i, 1);
            if (escaped != "0" && escaped != "1") return std::nullopt;
            steps.back() += escaped == "0" ? '~' : '/';
        } else {
            steps.back() += pointer[i];
        }
    }
    return steps;
}

json::value const* child_of(json::value const& value, std::string_view step) {
    if (auto const* object = value.if_object())
        return object->if_contains(json::string_view(step.data(), step.size()));
    auto const* array = value.if_array();
    if (!array || step.empty() || (step.size() > 1 && step.front() == '0')) return nullptr;
    std::size_t index = 0;
    auto const [end, wrong] = std::from_chars(step.data(), step.data() + step.size(), index);
    if (wrong != std::errc{} || end != step.data() + step.size()) return nullptr;
    return array->if_contains(index);
}

} // namespace postrider::base
