#include "queue/run/order_check.hpp"

#include "base/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace postrider::queue {

namespace {

std::string_view scope_of(std::string_view key) {
    auto const end = key.rfind('/');
    return end == key.npos ? std::string_view{} : key.substr(0, end);
}

} // namespace

std::string numbered(std::string const& name, int n) {
    return n == 1 ? name : name + "#" + std::to_string(n);
}

order_check::order_check(std::vector<std::string> recorded, std::set<std::string> const& tried) {
    for (auto& key : recorded) {
        if (key.starts_with(undo_prefix)) continue;
        auto& enclosing = scopes_[std::string(scope_of(key))];
        if (!tried.contains(key)) enclosing.left.insert(key);
        enclosing.recorded.push_back(std::move(key));
    }
}

void order_check::ask(std::string const& key) {
    auto entry = scopes_.find(scope_of(key));
    // All of the scope's record was asked for: the rest is new.
    if (entry == scopes_.end() || entry->second.left.empty()) return;
    auto& enclosing = entry->second;
    enclosing.asked.push_back(key);
    if (enclosing.left.erase(key) > 0) return;
    // A step that failed in between is asked for again.
    if (std::ranges::find(enclosing.recorded, key) != enclosing.recorded.end()) return;
    throw record_mismatch{enclosing.diff("asks for " + key)};
}

void order_check::ask_together(std::vector<std::string> const& keys) {
    for (auto const& key : keys) {
        auto const entry = scopes_.find(scope_of(key));
        if (entry != scopes_.end() && entry->second.left.erase(key) > 0)
            entry->second.asked.push_back(key);
    }
}

void order_check::skip_unasked(std::string_view prefix) {
    for (auto& [name, each] : scopes_)
        if ((name + '/').starts_with(prefix)) each.left.clear();
}

void order_check::end() const {
    for (auto const& [name, each] : scopes_)
        if (!each.left.empty()) throw record_mismatch{each.diff("ends")};
}

std::string order_check::scope::diff(std::string const& instead) const {
    auto const& expected =
        *std::ranges::find_if(recorded, [&](auto const& key) { return left.contains(key); });
    return fmt::format(
        "the record has [{}]; the code asked for [{}] and then {} instead of asking for {}",
        base::joined(recorded, ", "),
        base::joined(std::span(asked).first(asked.size() - (instead == "ends" ? 0 : 1)), ", "),
        instead,
        expected
    );
}

} // namespace postrider::queue
