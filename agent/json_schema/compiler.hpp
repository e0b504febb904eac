#pragma once
// Makes nodes of a document's schemas. One queue: however deep a schema is, nothing recurses.
#include "agent/json_schema/definition.hpp"
#include "agent/json_schema/references.hpp"

#include <deque>
#include <unordered_map>

namespace postrider::agent::json_schema {

class compiler {
public:
    compiler(boost::json::value const& document, compile_options options);
    boost::system::result<schema, problems> compile();

    // For the keywords. A subschema is filled in later.
    compile_options const& options() const noexcept { return options_; }
    // The schema as a whole.
    void refuse(std::string pointer, std::string message);
    // A part of the node: it is skipped where the options say so.
    void refuse_part(node& owner, std::string pointer, std::string message);
    // The keyword that is being read makes no rule.
    void drop_keyword() noexcept { ++dropped_keywords_; }
    // Null: the keyword is not there. Serializers write null for what they have none of.
    boost::json::value const* find_word(boost::json::object const& words, std::string_view name)
        const;
    // At /name of the parent, or at /name/step.
    node const* subschema(
        boost::json::value const& value,
        node const& parent,
        std::string_view name,
        std::optional<std::string_view> step = {}
    );
    std::shared_ptr<link const> reference(
        std::string destination, std::string pointer, node& origin
    );
    void add_anchor(std::string const& name, node const& at);
    base::result<pattern> pattern_of(std::string_view text);

private:
    struct pending_reference {
        std::shared_ptr<link> into;
        std::string to;
        std::string pointer;
        node* from;
    };

    node* node_for(spot at, std::string const& base);
    bool is_too_much();
    void choose_draft();
    void drain();
    void read(boost::json::value const& source, node& compiled);
    void read_id(boost::json::object const& words, spot const& at, node& compiled);
    void follow(pending_reference const& reference);

    boost::json::value const& document_;
    compile_options options_;
    problems problems_;
    problems skipped_;
    std::size_t dropped_keywords_ = 0;
    std::shared_ptr<std::deque<node>> nodes_ = std::make_shared<std::deque<node>>();
    std::size_t places_ = 0; // bytes
    std::unordered_map<boost::json::value const*, node*> node_of_;
    std::unordered_map<node const*, boost::json::value const*> source_of_;
    std::deque<node*> unread_;
    std::deque<pending_reference> unresolved_;
    directory directory_;
    std::map<std::string, pattern, std::less<>> patterns_;
};

// A schema that applies itself to the same value again, or does so through too many others. The former
// is marked where the options say that it is skipped.
void refuse_loops(std::deque<node>& nodes, compiler& compiler);

} // namespace postrider::agent::json_schema
