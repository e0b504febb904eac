#include "agent/loop/repetition.hpp"

#include "base/json/json.hpp"
#include "base/names.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace postrider::agent {

namespace {

constexpr base::names<repetition_kind, 3> kinds{{
    {repetition_kind::same_call, "same_call"},
    {repetition_kind::ping_pong, "ping_pong"},
    {repetition_kind::no_progress, "no_progress"},
}};

// A model may call anything by any name.
constexpr std::size_t longest_shown_name = 100;

using call_list = std::vector<tool_result const*>;
using call_span = std::span<tool_result const* const>;

bool same_call(tool_result const& a, tool_result const& b) {
    return a.tool == b.tool && a.arguments == b.arguments;
}

bool same_return(tool_result const& a, tool_result const& b) {
    return a.text == b.text && a.is_error == b.is_error;
}

call_list once_a_round(std::vector<tool_result> const& calls) {
    call_list distinct;
    for (auto const& call : calls) {
        bool const is_repeat = std::ranges::any_of(distinct, [&](auto const* earlier) {
            return earlier->round == call.round && same_call(*earlier, call);
        });
        if (!is_repeat) distinct.push_back(&call);
    }
    return distinct;
}

// The newest `count`; empty where there are fewer.
call_span newest(call_list const& calls, std::size_t count) {
    if (calls.size() < count) return {};
    return call_span(calls).last(count);
}

bool is_one_call(call_span calls) {
    return !calls.empty() && std::ranges::all_of(calls, [&](auto const* call) {
        return same_call(*call, *calls.front());
    });
}

bool is_one_result(call_span calls) {
    return std::ranges::all_of(calls, [&](auto const* call) {
        return same_return(*call, *calls.front());
    });
}

bool is_ping_pong(call_span calls) {
    if (calls.empty() || same_call(*calls[0], *calls[1])) return false;
    for (std::size_t i = 2; i < calls.size(); ++i)
        if (!same_call(*calls[i], *calls[i - 2]) || !same_return(*calls[i], *calls[i - 2]))
            return false;
    return true;
}

bool brings_something(tool_result const& call, call_span earlier) {
    return std::ranges::none_of(earlier, [&](auto const* earlier_call) {
        if (!same_return(*earlier_call, call)) return false;
        return same_call(*earlier_call, call) || (call.is_error && earlier_call->tool == call.tool);
    });
}

bool is_no_progress(call_list const& calls, std::size_t count) {
    if (calls.size() < count) return false;
    for (auto i = calls.size() - count; i < calls.size(); ++i)
        if (brings_something(*calls[i], call_span(calls).first(i))) return false;
    return true;
}

} // namespace

std::string_view to_string(repetition_kind kind) noexcept {
    return base::name_of(kinds, kind);
}

std::optional<repetition> find_repetition(std::vector<tool_result> const& calls, int repeats) {
    auto const distinct = once_a_round(calls);
    auto const count = static_cast<std::size_t>(repeats);
    auto const double_count = 2 * count;
    auto const repetition_of = [&](repetition_kind kind) {
        auto const tool = base::cut_at_character(distinct.back()->tool, longest_shown_name);
        return repetition{kind, std::string(tool)};
    };
    auto const last_few = newest(distinct, count);
    auto const last_many = newest(distinct, double_count);
    bool const is_same_call = is_one_call(last_few) && is_one_result(last_few);
    if (is_same_call || is_one_call(last_many)) return repetition_of(repetition_kind::same_call);
    if (is_ping_pong(last_many)) return repetition_of(repetition_kind::ping_pong);
    if (is_no_progress(distinct, double_count)) return repetition_of(repetition_kind::no_progress);
    return std::nullopt;
}

boost::json::value to_json(repetition const& repetition) {
    return boost::json::object{{"kind", to_string(repetition.kind)}, {"tool", repetition.tool}};
}

repetition repetition_from_json(boost::json::value const& recorded) {
    base::json_reader const fields{recorded};
    auto const kind = base::named(kinds, fields["kind"].string_or(""));
    return {kind.value_or(repetition_kind::no_progress), std::string(fields["tool"].string_or(""))};
}

base::error stopped_by(repetition const& repetition) {
    return {
        base::errc::refused,
        fmt::format(
            "the agent went round in circles ({}, {})", to_string(repetition.kind), repetition.tool
        )};
}

std::string repetition_note(repetition const& repetition, language::notices const& words) {
    switch (repetition.kind) {
    case repetition_kind::same_call:
        return language::in_words(words.kept_calling, repetition.tool);
    case repetition_kind::ping_pong:
        return words.back_and_forth;
    case repetition_kind::no_progress:
        break;
    }
    return words.nothing_new;
}

} // namespace postrider::agent
