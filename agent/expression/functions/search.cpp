// Functions that look for something in a text. Positions count code points; -1: not there.
#include "agent/expression/functions.hpp"
#include "agent/expression/search.hpp"
#include "agent/expression/unicode.hpp"
#include "agent/expression/values.hpp"

#include <re2/re2.h>

#include <array>

namespace postrider::agent::expressions {

namespace {

struct pair_of_texts {
    std::string_view text;
    std::string_view wanted;
};

fallible<pair_of_texts> texts_of(call const& given) {
    auto const text = given.text(0);
    auto const wanted = given.text(1);
    if (!text) return text.error();
    if (!wanted) return wanted.error();
    return pair_of_texts{*text, *wanted};
}

template<bool (*Holds)(std::string_view text, std::string_view wanted)>
fallible<operand> tells(call const& given) {
    auto const both = texts_of(given);
    if (!both) return both.error();
    return json::value(Holds(both->text, both->wanted));
}

bool contains(std::string_view text, std::string_view wanted) {
    return find_text(text, wanted) != text.npos;
}
bool starts_with(std::string_view text, std::string_view wanted) {
    return text.starts_with(wanted);
}
bool ends_with(std::string_view text, std::string_view wanted) {
    return text.ends_with(wanted);
}

json::value position_of(std::string_view text, std::size_t found) {
    if (found == text.npos) return -1;
    return static_cast<std::int64_t>(code_points(text.substr(0, found)));
}

fallible<operand> index_of(call const& given) {
    auto const both = texts_of(given);
    if (!both) return both.error();
    auto const [text, wanted] = *both;
    if (given.count() < 3) return position_of(text, find_text(text, wanted));
    auto const from = given.whole(2, text.size());
    if (!from) return from.error();
    auto const begin = offset_of(text, *from);
    return position_of(text, begin == text.npos ? begin : find_text(text, wanted, begin));
}

fallible<operand> last_index_of(call const& given) {
    auto const both = texts_of(given);
    if (!both) return both.error();
    auto const [text, wanted] = *both;
    // What a search from behind takes at worst.
    if (!given.budget.spend_bytes(text.size() * wanted.size())) return given.budget.failure();
    return position_of(text, text.rfind(wanted));
}

RE2::Options pattern_options() {
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(1 << 17); // large patterns are refused rather than slow: 4 ms at most
    return options;
}

re2::StringPiece piece(std::string_view text) {
    return {text.data(), text.size()};
}

fallible<operand> matches(call const& given) {
    auto const both = texts_of(given);
    if (!both) return both.error();
    auto const pattern = given.patterns.find(both->wanted, given.budget);
    if (!pattern) return pattern.error();
    // RE2 may look at each byte once for each instruction of the pattern.
    auto const work = both->text.size() * static_cast<std::size_t>((*pattern)->ProgramSize()) / 4;
    if (!given.budget.spend_bytes(work)) return given.budget.failure();
    return json::value(RE2::PartialMatch(piece(both->text), **pattern));
}

constexpr std::array<function, 6> functions{{
    {"contains", 2, 2, tells<contains>},
    {"endsWith", 2, 2, tells<ends_with>},
    {"indexOf", 2, 3, index_of},
    {"lastIndexOf", 2, 2, last_index_of},
    {"matches", 2, 2, matches},
    {"startsWith", 2, 2, tells<starts_with>},
}};

} // namespace

fallible<re2::RE2 const*> pattern_cache::find(std::string_view pattern, budget& budget) {
    constexpr std::size_t compiling = 2000; // steps: each may hold half a megabyte
    if (auto known = known_.find(pattern); known != known_.end()) return known->second.get();
    if (!budget.spend(compiling) || !budget.spend_bytes(pattern.size())) return budget.failure();
    auto made = std::make_shared<RE2 const>(piece(pattern), pattern_options());
    if (!made->ok()) return failure{"the pattern is not one of RE2"};
    return known_.emplace(pattern, std::move(made)).first->second.get();
}

std::string problem_with_pattern(std::string_view pattern) {
    RE2 const compiled{piece(pattern), pattern_options()};
    return compiled.ok() ? std::string() : compiled.error();
}

std::span<function const> search_functions() noexcept {
    return functions;
}

} // namespace postrider::agent::expressions
