#pragma once
// Puts the document of an import together: nodes in the order of n8n's, then their connections. For import.cpp.
#include "agent/flow/catalog.hpp"
#include "agent/flow/n8n/import.hpp"
#include "agent/flow/n8n/naming.hpp"

namespace postrider::agent::flow::n8n {

inline constexpr std::size_t most_import_problems = 1000;

// A whole number without a point.
boost::json::value number_here(double number);

class assembly {
public:
    assembly(workflow const& flow, catalog const& types)
        : flow_(flow),
          types_(types),
          names_(flow),
          renamed_(flow, names_) {}

    imported_draft run();

private:
    void add_node(std::size_t index);
    bool fits(draft_node const& draft, std::vector<draft_part> const& parts) const;
    void add_document_node(
        workflow_node const& original,
        draft_node draft,
        std::string name,
        std::string id,
        bool keeps_settings
    );
    void add_parts(std::size_t index, std::vector<draft_part> parts);
    void add_note(workflow_node const& node);
    // A circle of n8n's becomes a loop: a node in front of it runs it in rounds.
    void find_circles();
    void add_repeats();
    // In front of a node that n8n runs for the first item alone.
    void add_limits();
    void lead_into(std::string const& helper, std::string_view output, std::size_t node);
    bool returns_to_loop(workflow_link const& link);
    bool is_forward(workflow_link const& link);
    void add_links();
    void add_link(workflow_link const& link, std::size_t number);
    // Nodes that answer requests with what the last nodes have.
    void add_answers();
    void add_answer(std::size_t last, std::string_view body);
    // A node that n8n has none of; its id. Empty: the document is full.
    std::string add_helper(std::size_t beside, double right, std::string name, draft_node draft);
    void add_settings();
    void add_pinned();
    void count(workflow_node const& node, bool is_mapped);
    void tell(std::size_t index, std::string code, std::string message, std::string hint = {});
    // Whether connections of items lead from the one to the other.
    bool leads_to(std::size_t source, std::size_t destination);
    bool has_port(std::size_t index, std::string_view kind, bool is_input) const;
    // Without connections, as n8n leaves it alone.
    bool is_idle(std::size_t index, std::string_view name) const;

    workflow const& flow_;
    catalog const& types_;
    naming names_;
    renamed_items renamed_;
    conversion_budget budget_ = conversion_budget();
    problem_list problems_{most_import_problems};
    std::map<std::size_t, std::vector<bool>> reached_; // by where it begins
    std::vector<draft_node> drafts_;                   // by n8n's number
    std::vector<std::size_t> places_; // in the document; npos: it is none of its nodes
    std::map<std::size_t, std::string>
        repeats_; // by the node that a circle begins with: its loop's id
    std::map<std::size_t, std::string> limits_; // by node: the id of what lets one item pass
    std::map<std::size_t, std::size_t>
        finishes_;                 // by link, back to an outer loop: where its circle begins
    std::vector<bool> leads_back_; // by link, to the beginning of a circle
    std::map<std::size_t, std::string> answered_; // triggers: what the last nodes answer
    std::vector<std::string> variables_;
    boost::json::array nodes_;
    boost::json::array connections_;
    boost::json::array notes_;
    imported_draft result_;
};

} // namespace postrider::agent::flow::n8n
