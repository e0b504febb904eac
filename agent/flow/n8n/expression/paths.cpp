// Members: of data, where each may be missing, and of what is none.
#include "agent/flow/n8n/expression/converter.hpp"

#include <algorithm>

namespace postrider::agent::flow::n8n {

using script::node_kind;

namespace {

constexpr std::string_view json_text = "json:";

// One step of a path: a name, or an index that is not known.
struct path_step {
    std::string name;
    script::node const* key = nullptr;
};

// The longest name in front of the rest of a path that is another one here, and how many steps it has.
std::pair<renamed_member const*, std::size_t> renamed_step(
    renamed_members all, std::span<path_step const> steps
) {
    std::pair<renamed_member const*, std::size_t> longest{nullptr, 0};
    for (auto const& member : all)
        if (member.from == "*") longest.first = &member;
    std::string path;
    for (std::size_t i = 0; i < steps.size() && !steps[i].key; ++i) {
        path += (i == 0 ? "" : ".") + steps[i].name;
        for (auto const& member : all) {
            if (member.from == path) longest = {&member, i + 1};
            if (i + 1 == steps.size() || member.from != path + ".*") continue;
            // Of a text all has a length.
            if (member.to.starts_with(json_text) && steps[i + 1].name == "length") continue;
            longest = {&member, member.to.empty() ? steps.size() : i + 1};
        }
    }
    return longest;
}

// Images are a list of {"file"}, n8n's photos a list of {"file_id", …}.
constexpr renamed_member photo_members[]{{"file_id", "file"}, {"file_unique_id", "file"}};

// The file where it is of that kind, else null.
term file_of_kind(term const& item, std::string_view kind) {
    auto const file = optional_member(item, "file");
    auto const mime = optional_member(file, "mime").text;
    auto const test = kind == "document"
                          ? mime + ".orValue(\"audio/\").startsWith(\"audio/\") || " +
                                optional_member(item, "images").text +
                                " != null ? null : " + file.text
                          : mime + ".orValue(\"\").startsWith(\"" + std::string(kind) + "/\") ? " +
                                file.text + " : null";
    return {.text = test, .binding = binding::choice};
}

// The member of that path: "file.id". "file:audio" is the file of that kind.
term renamed_value(term value, std::string_view path) {
    value.renamed = {};
    if (path.starts_with(json_text)) {
        auto text = optional_member(value, path.substr(json_text.size())).text;
        return {.text = "fromJson(" + std::move(text) + ")"};
    }
    if (path.starts_with("file:")) return file_of_kind(value, path.substr(5));
    for (auto rest = path; !rest.empty();) {
        auto const name = rest.substr(0, rest.find('.'));
        value = optional_member(value, name);
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
    if (path != "images") return value;
    value.shape = shape::list;
    value.renamed = photo_members;
    return value;
}

// What comes of a member has no such names.
term without_names(term value) {
    value.renamed = {};
    return value;
}

bool is_data(term const& base) {
    return base.is(shape::object) || base.is(shape::unknown);
}

} // namespace

term converter::path(script::node const& node) {
    std::vector<script::node const*> chain;
    auto const* root = &node;
    for (; root->is(node_kind::member) || root->is(node_kind::index); root = &(*root)[0])
        chain.push_back(root);
    std::vector<path_step> steps;
    for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
        auto const& step = **at;
        if (step.is(node_kind::member))
            steps.push_back({step.text});
        else if (auto const text = constant_text(step[1]))
            steps.push_back({*text});
        else
            steps.push_back({{}, &step[1]});
    }
    auto value = value_of(*root);
    for (std::size_t i = 0; i < steps.size() && !refusal_;) {
        auto const rest = std::span(steps).subspan(i);
        auto const [renamed, length] = value.is(shape::object)
                                           ? renamed_step(value.renamed, rest)
                                           : std::pair<renamed_member const*, std::size_t>();
        if (renamed && length == 0) {
            value = optional_member(without_names(value), renamed->to);
            continue;
        }
        if (renamed) {
            i += length;
            if (renamed->to.empty()) {
                remark("items here have none of `" + std::string(renamed->from) + "`: it is null");
                return {.text = "null", .simple = true};
            }
            value = renamed_value(std::move(value), renamed->to);
            continue;
        }
        value =
            rest.front().key ? index(value, *rest.front().key) : member(value, rest.front().name);
        ++i;
    }
    return value;
}

term converter::member(term const& base, std::string_view name) {
    if (auto special = special_member(*this, base, name)) return std::move(*special);
    if (base.is(shape::type) || base.is(shape::pattern))
        return refuse("`" + base.text + "." + std::string(name) + "` has no counterpart");
    if (name == "length") return calling(base, "size", {}, shape::number);
    if (!is_data(base)) return refuse("a value of its kind has no `" + std::string(name) + "`");
    return optional_member(without_names(base), name);
}

term converter::index(term const& base, script::node const& key) {
    auto const number = constant_number(key);
    if (base.is(shape::type) && base.text == "$node") {
        return refuse("the name of a node is computed");
    }
    if (base.is(shape::node)) return refuse("a node has no index");
    auto const at = value_of(key);
    if (base.is(shape::text)) return calling(base, "charAt", at.text, shape::text);
    if (number && *number < 0) return refuse("an index is negative");
    auto const question = base.optional ? "" : "?";
    bool const has_names = base.is(shape::items) || base.is(shape::list);
    return {
        .text = within(base) + "[" + question + at.text + "]",
        .shape = kind_of_items(base),
        .optional = true,
        .simple = base.simple && at.simple,
        .renamed = has_names ? base.renamed : renamed_members{}};
}

} // namespace postrider::agent::flow::n8n
