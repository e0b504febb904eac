#include "agent/flow/n8n/nodes/n8n_names.hpp"

#include "agent/flow/n8n/translation.hpp"

#include <algorithm>
#include <map>
#include <memory>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::ptrdiff_t deepest_member = 4; // dots in a name of n8n's

// By their names; a leaf has the path that its value has here.
struct member_tree {
    std::string path = {};
    std::map<std::string, std::unique_ptr<member_tree>, std::less<>> members = {};
};

void add_member(member_tree& tree, std::string_view name, std::string_view path) {
    auto* at = &tree;
    // What a person called a field is one name, with all of its dots.
    bool const is_path = std::ranges::count(name, '.') <= deepest_member;
    for (auto rest = name; !rest.empty();) {
        auto const step = is_path ? rest.substr(0, rest.find('.')) : rest;
        auto& member = at->members[std::string(step)];
        if (!member) member = std::make_unique<member_tree>();
        at = member.get();
        rest.remove_prefix(std::min(step.size() + 1, rest.size()));
    }
    at->path = path;
}

std::string value_at(std::string_view item, std::string_view path, script_language language) {
    std::string text(item);
    bool is_first = true;
    for (auto rest = path; !rest.empty(); is_first = false) {
        auto const name = rest.substr(0, rest.find('.'));
        text += language == script_language::javascript ? "?." : is_first ? ".?" : ".";
        text += name;
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
    return text;
}

std::string written_tree(member_tree const& tree, std::string_view item, script_language language) {
    if (tree.members.empty()) return value_at(item, tree.path, language);
    std::string text;
    for (auto const& [name, member] : tree.members)
        text += (text.empty() ? "{" : ", ") + text_literal(name) + ": " +
                written_tree(*member, item, language);
    return text + "}";
}

} // namespace

std::string n8n_members(renamed_members renamed, std::string_view item, script_language language) {
    member_tree tree;
    std::string whole; // of a member whose own are n8n's
    for (auto const& member : renamed) {
        if (member.from == "*") whole = value_at(item, member.to, language);
        bool const is_left_out = member.to.empty() || member.to.starts_with("file") ||
                                 member.to.starts_with("json:") || member.from.ends_with('*');
        if (!is_left_out) add_member(tree, member.from, member.to);
    }
    if (tree.members.empty() && whole.empty()) return {};
    auto const members = tree.members.empty() ? "{}" : written_tree(tree, item, language);
    if (whole.empty()) return members;
    if (language == script_language::javascript) return "{..." + whole + ", ..." + members + "}";
    return whole + ".orValue({}).merge(" + members + ")";
}

} // namespace postrider::agent::flow::n8n
