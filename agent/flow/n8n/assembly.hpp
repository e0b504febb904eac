#pragma once
// Puts the document of an import together: nodes in the order of n8n's, then their connections. For import.cpp.
#include "agent/flow/catalog.hpp"
#include "agent/flow/n8n/import.hpp"
#include "agent/flow/n8n/naming.hpp"

namespace postrider::agent::flow::n8n {

// A whole number without a point.
boost::json::value number_here(double number);

class assembly {
public:
    assembly(workflow const& flow, catalog const& types)
        : flow_(flow),
          types_(types),
          names_(flow) {}

    imported_draft run();

private:
    void add_node(std::size_t index);
    bool fits(draft_node const& draft, std::vector<draft_part> const& parts) const;
    void add_document_node(
        workflow_node const& from,
        draft_node draft,
        std::string name,
        std::string id,
        bool keeps_settings
    );
    void add_parts(std::size_t index, std::vector<draft_part> parts);
    void add_note(workflow_node const& node);
    void add_links();
    void add_link(workflow_link const& link);
    void add_settings();
    void add_pinned();
    void count(workflow_node const& node, bool is_mapped);
    void tell(std::size_t index, std::string code, std::string message, std::string hint = {});
    bool leads_to(std::size_t from, std::size_t to) const;
    bool has_port(std::size_t index, std::string_view kind, bool is_input) const;

    workflow const& flow_;
    catalog const& types_;
    naming names_;
    std::vector<draft_node> drafts_;  // by n8n's number
    std::vector<std::size_t> places_; // in the document; npos: it is none of its nodes
    std::vector<std::string> variables_;
    boost::json::array nodes_;
    boost::json::array connections_;
    boost::json::array notes_;
    imported_draft result_;
};

} // namespace postrider::agent::flow::n8n
