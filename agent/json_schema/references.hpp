#pragma once
// Which parts of a document $id, $anchor and $ref mean. Nothing is ever loaded.
#include "base/json/json.hpp"

#include <map>

namespace postrider::agent::json_schema {

// A part of the document.
struct spot {
    boost::json::value const* value = nullptr;
    std::string pointer; // JSON Pointer
};

// A URI without its fragment, and the fragment decoded.
struct address {
    std::string uri;
    std::string fragment;
};

// The base of a document that names none.
inline constexpr std::string_view nameless = "json-schema:///";

// invalid: not a URI reference.
base::result<address> resolve(std::string_view base, std::string_view reference);

class directory {
public:
    void add_resource(std::string const& uri, spot root) { resources_[uri] = std::move(root); }
    void add_anchor(std::string const& uri, std::string const& name, spot at);

    // not_found: leads out of the document, or nowhere; the detail says which.
    base::result<spot> find(address const& address) const;

private:
    std::map<std::string, spot, std::less<>> resources_;
    std::map<std::pair<std::string, std::string>, spot> anchors_;
};

} // namespace postrider::agent::json_schema
