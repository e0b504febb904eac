#include "agent/flow/n8n/mapping.hpp"

#include <fmt/format.h>

#include <set>

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view rename_keys_types[]{"renameKeys"};

struct renamed_key {
    std::string old_name;
    std::string new_name;
};

// Nothing: a name is computed, is of a field within another, or stands twice.
std::optional<std::vector<renamed_key>> keys_of(translation const& in) {
    std::vector<renamed_key> keys;
    std::set<std::string> names;
    auto const* list = in.find("keys.key");
    for (std::size_t i = 0; list && list->is_array() && i < list->get_array().size(); ++i) {
        auto const* entry = list->get_array()[i].if_object();
        renamed_key key;
        for (auto [name, text] :
             {std::pair{"currentKey", &key.old_name}, {"newKey", &key.new_name}}) {
            auto const* value = entry ? entry->if_contains(name) : nullptr;
            if (value && value->is_string()) *text = std::string(value->get_string());
            if (text->empty() || is_template(*text) || text->find('.') != text->npos)
                return std::nullopt;
        }
        if (key.old_name == key.new_name) continue;
        if (!names.insert(key.old_name).second || !names.insert(key.new_name).second)
            return std::nullopt;
        keys.push_back(std::move(key));
    }
    return keys;
}

void map_rename_keys(translation& in) {
    auto const keys = keys_of(in);
    auto const* patterns = in.find("additionalOptions.regexReplacement.replacements");
    if (!keys || (patterns && patterns->is_array() && !patterns->get_array().empty()))
        return in.become_placeholder("it gave fields other names by patterns, or within others");
    std::string old_names;
    std::string source;
    for (auto const& [old_name, new_name] : *keys) {
        old_names += (old_names.empty() ? "" : ", ") + text_literal(old_name);
        // A field that is missing gets no new name.
        source += fmt::format(
            ".merge(cel.bind(v, {}, v == null ? {{}} : {{{}: v}}))",
            in.field("fields", old_name),
            text_literal(new_name)
        );
    }
    in.become("set");
    in.put_value(
        "fields", boost::json::value(in_braces("$json.omit([" + old_names + "])" + source))
    );
    in.put_value("keep_others", false);
}

} // namespace

extern constinit mapping const rename_keys_mapping{
    .types = rename_keys_types, .map = map_rename_keys};

} // namespace postrider::agent::flow::n8n
