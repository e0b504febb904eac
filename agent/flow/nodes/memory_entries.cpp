#include "agent/flow/nodes/memory_entries.hpp"

#include "agent/flow/chat/history.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::size_t digits = 20;
constexpr std::size_t place_size = 2 * digits + 1;

std::optional<std::int64_t> number_in(std::string_view text) {
    std::int64_t number = 0;
    auto const [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

bool is_role(std::string_view text) {
    constexpr std::array<std::string_view, 3> roles{"user", "assistant", "tool"};
    return std::ranges::find(roles, text) != roles.end();
}

} // namespace

std::string entry_place(job_id job, std::int64_t position) {
    return fmt::format("{:020}:{:020}", base::raw(job), position);
}

std::string entries_of(job_id job) {
    return fmt::format("{:020}:", base::raw(job));
}

std::string_view place_of_entry(std::string_view entry) noexcept {
    return entry.substr(0, std::min(entry.size(), place_size));
}

std::string memory_entry(job_id job, kept_message const& remembered) {
    auto row = row_from(remembered.message);
    json::object members{{"role", row.role}, {"content", row.content}};
    if (!row.detail.is_null()) members["detail"] = std::move(row.detail);
    return entry_place(job, remembered.position) + " " + base::json_text(members);
}

std::optional<storage::message_row> row_from_entry(std::string_view entry) {
    if (entry.size() <= place_size || entry[digits] != ':' || entry[place_size] != ' ')
        return std::nullopt;
    auto const job = number_in(entry.substr(0, digits));
    auto const position = number_in(entry.substr(digits + 1, digits));
    auto const value = base::parse_json(entry.substr(place_size + 1));
    if (!job || !position || !value || !value->is_object()) return std::nullopt;
    base::json_reader const members{*value};
    storage::message_row row;
    row.job = job_id{*job};
    row.position = *position;
    row.role = members["role"].string();
    row.content = members["content"].string();
    if (members.failed() || !is_role(row.role)) return std::nullopt;
    if (auto const* detail = value->get_object().if_contains("detail")) row.detail = *detail;
    return row;
}

} // namespace postrider::agent::flow
