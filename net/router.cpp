#include "net/router.hpp"

#include "base/texts.hpp"

#include <algorithm>
#include <stdexcept>

namespace postrider::net {

namespace {

// Takes the segment before the next '/' off the path, which starts after a '/'.
std::string_view next_segment(std::string_view& path) {
    auto segment = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(segment.size() + 1, path.size()));
    return segment;
}

bool is_parameter(std::string_view segment) {
    return segment.size() > 2 && segment.front() == '{' && segment.back() == '}';
}

constexpr std::string_view rest_mark = "...}";

bool takes_the_rest(std::string_view segment) {
    return is_parameter(segment) && segment.ends_with(rest_mark);
}

std::string_view parameter_name(std::string_view segment) {
    segment.remove_suffix(takes_the_rest(segment) ? rest_mark.size() : 1);
    return segment.substr(1);
}

std::vector<std::string> split_pattern(std::string_view pattern) {
    if (!pattern.starts_with('/'))
        throw std::invalid_argument("a route's pattern must start with /");
    std::vector<std::string> segments;
    std::size_t begin = 1;
    for (;;) {
        auto end = pattern.find('/', begin);
        segments.emplace_back(pattern.substr(begin, end - begin));
        if (end == std::string_view::npos) return segments;
        begin = end + 1;
    }
}

bool fits(std::vector<std::string> const& segments, std::string_view path) {
    for (std::size_t i = 0; i < segments.size(); ++i) {
        if (takes_the_rest(segments[i])) return !path.empty();
        auto const last = path.find('/') == std::string_view::npos;
        auto actual = next_segment(path);
        if (is_parameter(segments[i]) ? actual.empty() : actual != segments[i]) return false;
        if (last) return i + 1 == segments.size();
    }
    return false;
}

bool serves(route const& route, std::string_view method) {
    if (route.method.empty()) return true;
    return route.method == method || (method == "HEAD" && route.method == "GET");
}

// Several routes may have the same method, for different hosts or callers.
void add_method(std::vector<std::string_view>& allowed, std::string_view method) {
    if (std::ranges::find(allowed, method) != allowed.end()) return;
    allowed.push_back(method);
    if (method == "GET") allowed.emplace_back("HEAD");
}

} // namespace

router::router(std::vector<route> routes) {
    routes_.reserve(routes.size());
    for (auto& each : routes) {
        auto segments = split_pattern(each.pattern);
        routes_.push_back({std::move(each), std::move(segments)});
    }
}

std::variant<router::match, http_response> router::find(
    std::string_view method, std::string_view path
) const {
    if (!path.starts_with('/')) return http_response::problem(404, "not_found", "no such resource");
    path.remove_prefix(1);

    std::vector<std::string_view> allowed;
    for (auto const& [to, segments] : routes_) {
        if (!fits(segments, path)) continue;
        if (!serves(to, method)) {
            add_method(allowed, to.method);
            continue;
        }
        match result{&to, {}};
        auto rest = path;
        for (auto const& segment : segments) {
            auto const actual = takes_the_rest(segment) ? rest : next_segment(rest);
            if (!is_parameter(segment)) continue;
            auto value = percent_decode(actual);
            if (!value) return http_response::problem(400, "invalid", "malformed percent encoding");
            result.params.emplace(parameter_name(segment), std::move(*value));
        }
        return result;
    }

    if (allowed.empty()) return http_response::problem(404, "not_found", "no such resource");
    add_method(allowed, "OPTIONS");
    auto allow = base::joined(allowed, ", ");
    if (method == "OPTIONS") {
        auto answer = http_response::empty(204);
        answer.headers.add("Allow", std::move(allow));
        return answer;
    }
    auto answer = http_response::problem(405, "method_not_allowed", "allowed: " + allow);
    answer.headers.add("Allow", std::move(allow));
    return answer;
}

} // namespace postrider::net
