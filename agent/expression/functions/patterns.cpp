// Functions of regular expressions: RE2, which takes time linear in the text, whatever the pattern.
#include "agent/expression/functions/families.hpp"
#include "agent/expression/functions/pattern_reach.hpp"
#include "agent/expression/values.hpp"
#include "agent/language/unicode.hpp"

#include <boost/json/array.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>
#include <re2/re2.h>

#include <array>
#include <utility>
#include <vector>

namespace postrider::agent::expressions {

namespace {

RE2::Options pattern_options() {
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(1 << 17); // large patterns are refused rather than slow: 4 ms at most
    return options;
}

re2::StringPiece re2_piece(std::string_view text) {
    return {text.data(), text.size()};
}

// Text and compiled pattern of a call, and what has been found of it.
class search {
public:
    static fallible<search> of(call const& call) {
        auto const text = call.text(0);
        auto const pattern = call.text(1);
        if (!text) return text.error();
        if (!pattern) return pattern.error();
        auto const compiled = call.patterns.find(*pattern, call.budget);
        if (!compiled) return compiled.error();
        return search{*text, **compiled, call.budget};
    }

    RE2 const& pattern() const noexcept { return pattern_; }
    std::string_view text() const noexcept { return text_; }
    // Of the last match: the whole of it, then its groups; one that took no part has no data.
    std::vector<re2::StringPiece> const& groups() const noexcept { return groups_; }
    std::size_t begin() const noexcept { return offset(groups_[0].data()); }
    std::size_t end() const noexcept { return begin() + groups_[0].size(); }

    // The next match from a byte on; false: there is none, or the budget is used up.
    fallible<bool> find(std::size_t start) {
        // RE2 may look at each byte once for each instruction of the pattern.
        auto const left = text_.size() - start;
        auto const work = left * static_cast<std::size_t>(pattern_.ProgramSize()) / 4;
        if (!budget_.spend_bytes(work)) return budget_.failure();
        auto const count = static_cast<int>(groups_.size());
        return pattern_.Match(
            re2_piece(text_), start, text_.size(), RE2::UNANCHORED, groups_.data(), count
        );
    }

    // The same for one of many: of a pattern that does not look far, what has been looked at counts,
    // all in all as much as the text is long. A match itself costs as much as some bytes do.
    fallible<bool> find_next(std::size_t start) {
        if (far_) return find(start);
        auto const count = static_cast<int>(groups_.size());
        bool const matched = pattern_.Match(
            re2_piece(text_), start, text_.size(), RE2::UNANCHORED, groups_.data(), count
        );
        auto const seen = (matched ? end() : text_.size()) - start;
        unpaid_ += seen + seen * static_cast<std::size_t>(pattern_.ProgramSize()) / 16;
        unpaid_ += bytes_of_a_match;
        if (!matched || unpaid_ >= charged_at_once) {
            if (!budget_.spend_bytes(std::exchange(unpaid_, 0))) return budget_.failure();
        }
        return matched;
    }

    // Where to look for the next one: behind a match, and one code point on behind an empty one.
    std::size_t next() const {
        if (!groups_[0].empty()) return end();
        auto const rest = text_.substr(end());
        return end() + (rest.empty() ? 1 : offset_of(rest, 1));
    }

private:
    static constexpr std::size_t bytes_of_a_match = 8;
    static constexpr std::size_t charged_at_once = 4096;

    search(std::string_view text, RE2 const& pattern, budget& budget)
        : text_(text),
          pattern_(pattern),
          budget_(budget),
          groups_(static_cast<std::size_t>(pattern.NumberOfCapturingGroups()) + 1),
          far_(may_look_far(pattern.pattern())) {}

    std::size_t offset(char const* at) const noexcept {
        return static_cast<std::size_t>(at - text_.data());
    }

    std::string_view text_;
    RE2 const& pattern_;
    budget& budget_;
    std::vector<re2::StringPiece> groups_;
    bool far_;
    std::size_t unpaid_ = 0; // bytes looked at
};

json::value value_of(re2::StringPiece group) {
    if (!group.data()) return nullptr;
    return json::string_view(group.data(), group.size());
}

fallible<operand> matches(call const& call) {
    auto matches = search::of(call);
    if (!matches) return matches.error();
    auto const matched = matches->find(0);
    if (!matched) return matched.error();
    return json::value(*matched);
}

fallible<operand> captures(call const& call) {
    auto matches = search::of(call);
    if (!matches) return matches.error();
    auto const matched = matches->find(0);
    if (!matched) return matched.error();
    if (!*matched) return json::value(nullptr);
    json::array groups;
    for (auto const& group : matches->groups()) {
        if (!call.budget.spend_bytes(group.size())) return call.budget.failure();
        groups.push_back(value_of(group));
    }
    return json::value(std::move(groups));
}

// The only group of the pattern, or all that matched where it has none.
fallible<json::value> extracted(search const& matches) {
    if (matches.groups().size() > 2)
        return failure{"a pattern with several groups is one for captures()"};
    return value_of(matches.groups().back());
}

fallible<operand> extract(call const& call) {
    auto matches = search::of(call);
    if (!matches) return matches.error();
    auto const matched = matches->find(0);
    if (!matched) return matched.error();
    auto value = extracted(*matches);
    if (!value) return value.error();
    if (!*matched || value->is_null()) return operand::none();
    return operand{std::move(*value), meaning::some};
}

fallible<operand> extract_all(call const& call) {
    auto matches = search::of(call);
    if (!matches) return matches.error();
    json::array texts;
    for (std::size_t start = 0; start <= matches->text().size(); start = matches->next()) {
        auto const matched = matches->find_next(start);
        if (!matched) return matched.error();
        if (!*matched) break;
        auto value = extracted(*matches);
        if (!value) return value.error();
        if (!value->is_null()) texts.push_back(std::move(*value));
    }
    return json::value(std::move(texts));
}

// Many short pieces of a text, which are paid for together.
class gathered_text {
public:
    explicit gathered_text(budget& budget) : text_(budget) {}

    void append(std::string_view more) {
        pending_ += more;
        if (pending_.size() >= gathered_at_once) flush();
    }
    bool over() const noexcept { return over_; }
    fallible<operand> finish() && {
        flush();
        return std::move(text_).finish();
    }

private:
    static constexpr std::size_t gathered_at_once = 4096;

    void flush() {
        over_ = !text_.append(pending_);
        pending_.clear();
    }

    bounded_text text_;
    bool over_ = false; // it may not grow any more
    std::string pending_;
};

// \0 is all that matched, \1 the first group, \\ a backslash.
std::optional<failure> append_rewritten(
    gathered_text& text, search const& matches, std::string_view rewrite
) {
    while (!rewrite.empty()) {
        auto const plain = std::min(rewrite.find('\\'), rewrite.size());
        text.append(rewrite.substr(0, plain));
        rewrite.remove_prefix(plain);
        if (rewrite.empty()) break;
        auto const kind = rewrite.size() > 1 ? rewrite[1] : '\0';
        auto const group = static_cast<std::size_t>(kind - '0');
        if (kind == '\\')
            text.append("\\");
        else if (kind >= '0' && kind <= '9' && group < matches.groups().size())
            text.append({matches.groups()[group].data(), matches.groups()[group].size()});
        else
            return failure{"a \\ in the replacement is followed by a group's number or by a \\"};
        rewrite.remove_prefix(2);
    }
    return std::nullopt;
}

fallible<operand> replace_matches(call const& call) {
    auto matches = search::of(call);
    auto const rewrite = call.text(2);
    if (!matches) return matches.error();
    if (!rewrite) return rewrite.error();
    auto const most = call.count() > 3 ? call.whole(3, 1'000'000) : any_number;
    if (!most) return most.error();
    gathered_text result{call.budget};
    std::size_t copied = 0;
    std::size_t start = 0;
    for (std::size_t done = 0; done < *most && start <= matches->text().size(); ++done) {
        auto const matched = matches->find_next(start);
        if (!matched) return matched.error();
        if (!*matched) break;
        result.append(matches->text().substr(copied, matches->begin() - copied));
        if (auto wrong = append_rewritten(result, *matches, *rewrite)) return std::move(*wrong);
        if (result.over()) break;
        copied = matches->end();
        start = matches->next();
    }
    result.append(matches->text().substr(copied));
    return std::move(result).finish();
}

constexpr std::array patterns_functions{
    function{
        "captures",
        2,
        2,
        captures,
        R"doc(the first match and its groups, or `null` if there is no match
"order 17 of 20".captures(r"(\d+) of (\d+)") → ["17 of 20", "17", "20"]
"none".captures(r"\d") → null)doc"},
    function{
        "matches",
        2,
        2,
        matches,
        R"doc(whether a pattern of [RE2](https://github.com/google/re2/wiki/Syntax) matches a part of the text
"order 17".matches(r"\d+$") → true
"a".matches("(") → error: the pattern)doc"},
    function{
        "regex.extract",
        2,
        2,
        extract,
        R"doc(the first match as an optional; if the pattern has a group, only the group
regex.extract("order 17", r"order (\d+)").orValue("") → "17")doc"},
    function{
        "regex.extractAll",
        2,
        2,
        extract_all,
        R"doc(all matches; if the pattern has a group, only the groups
regex.extractAll("#a and #b", r"#(\w)") → ["a", "b"])doc"},
    function{
        "regex.replace",
        3,
        4,
        replace_matches,
        R"doc(the text with every match replaced; an optional number limits how many; `\1` is the first group
regex.replace("a1b22", r"\d+", "#") → "a#b#"
regex.replace("2026-11-21", r"(\d+)-(\d+)-(\d+)", r"\3.\2.\1") → "21.11.2026")doc"},
};

} // namespace

fallible<re2::RE2 const*> pattern_cache::find(std::string_view pattern, budget& budget) {
    constexpr std::size_t compiling = 2000; // steps: each may hold half a megabyte
    if (auto entry = known_.find(pattern); entry != known_.end()) return entry->second.get();
    if (!budget.spend(compiling) || !budget.spend_bytes(pattern.size())) return budget.failure();
    auto result = std::make_shared<RE2 const>(re2_piece(pattern), pattern_options());
    if (!result->ok()) return failure{"the pattern is not one of RE2"};
    return known_.emplace(pattern, std::move(result)).first->second.get();
}

std::string problem_with_pattern(std::string_view pattern) {
    RE2 const compiled{re2_piece(pattern), pattern_options()};
    return compiled.ok() ? std::string() : compiled.error();
}

function_family const patterns_family{"Patterns", patterns_functions};

} // namespace postrider::agent::expressions
