// Members that the format does not know are kept; one that is nearly one it knows is a slip.
#include "agent/flow/validate/inspection.hpp"
#include "base/ascii.hpp"
#include "base/setting.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// Names of the members of an object of the published schema.
std::vector<std::string> members_of(std::string_view pointer) {
    std::vector<std::string> names;
    auto const path = fmt::format("{}/properties", pointer);
    for (auto const& [name, schema] : definition_schema().at_pointer(path).as_object())
        names.emplace_back(name);
    return names;
}

class member_check {
public:
    explicit member_check(inspection& in) : in_(in) {}

    void check() {
        static auto const of_flow = members_of("");
        static auto const of_settings = members_of("/$defs/settings");
        static auto const of_node = members_of("/$defs/node");
        static auto const of_retry = members_of("/$defs/node/properties/retry");
        static auto const of_connection = members_of("/$defs/connection");
        auto const& document = in_.flow.document;
        check(document, of_flow, "");
        check_member(document, "settings", of_settings, "");
        for_each(document, "nodes", [&](json::object const& node, std::string const& path) {
            auto const* name = node.if_contains("name");
            name_ = name && name->is_string() ? std::string(name->get_string()) : std::string();
            check(node, of_node, path);
            check_member(node, "retry", of_retry, path);
        });
        name_.clear();
        for_each(
            document,
            "connections",
            [&](json::object const& connection, std::string const& path) {
                check(connection, of_connection, path);
            }
        );
    }

private:
    template<class Call>
    void for_each(json::object const& document, std::string_view key, Call const& call) {
        auto const* list = document.if_contains(key);
        if (!list || !list->is_array()) return;
        auto const& all = list->get_array();
        for (std::size_t i = 0; i < all.size(); ++i)
            if (auto const* entry = all[i].if_object()) call(*entry, below(below("", key), i));
    }

    void check_member(
        json::object const& object,
        std::string_view key,
        std::vector<std::string> const& known_names,
        std::string const& path
    ) {
        auto const* member = object.if_contains(key);
        if (member && member->is_object())
            check(member->get_object(), known_names, below(path, key));
    }

    void check(
        json::object const& object,
        std::vector<std::string> const& known_names,
        std::string const& path
    ) {
        for (auto const& [key, value] : object) {
            if (looked_up_ == most_looked_up) return;
            std::string_view const name = key;
            if (std::ranges::find(known_names, name) != known_names.end()) continue;
            if (auto const suggestion = likely(name, known_names); !suggestion.empty())
                in_.problems.add(
                    {.code = "unknown_member",
                     .path = below(path, name),
                     .message = fmt::format("the format has no member {} here", in_quotes(name)),
                     .hint = fmt::format("did you mean {}?", in_quotes(suggestion)),
                     .node = name_,
                     .severity = severity::warning}
                );
        }
    }

    // "onError" is nearly "on_error", and so is "ON_ERROR".
    std::string likely(std::string_view name, std::vector<std::string> const& known_names) {
        constexpr std::size_t longest = 20; // of the format's names, with their slips
        if (name.size() > longest || name.find('.') != name.npos) return {};
        ++looked_up_;
        return base::nearest(base::to_lower(std::string(name)), known_names);
    }

    static constexpr std::size_t most_looked_up = 10'000; // in a document that means harm

    inspection& in_;
    std::string name_; // of the node that is looked at
    std::size_t looked_up_ = 0;
};

} // namespace

void check_members(inspection& in) {
    member_check(in).check();
}

} // namespace postrider::agent::flow
