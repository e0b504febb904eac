#pragma once
// What a flow's expressions find in an answer: its items, and the page behind it. Pure.
//
// An answer is {"status", "headers", "body", "url", …}; names of headers are in lower case.
#include "agent/flow/node_run.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>

namespace postrider::agent::flow {

// As `items` says it; invalid: the expression has no value for the answer.
base::result<items> items_in(boost::json::object const& answer, std::string_view items_expression);

// The pages of one item's request, as its parameters say.
class http_pages {
public:
    // The parameters outlive it. `first_url` has the query that all pages share.
    http_pages(boost::json::object const& parameters, std::string first_url);

    // What is to be asked for now.
    std::string const& url() const noexcept { return url_; }
    // Goes on behind that answer, which had so many items. False: there is nothing more, or it is not
    // to be asked for. refused: the page is of another origin than the first URL.
    base::result<bool> go_on(boost::json::object const& answer, std::size_t item_count);

private:
    base::result<bool> follow(boost::json::object const& answer, boost::json::value const& next);

    boost::json::object const& parameters_;
    std::string kind_;
    std::string first_url_; // without the page's own parameter
    std::string url_;
    std::int64_t number_ = 0;
    std::int64_t pages_left_ = 0;
};

} // namespace postrider::agent::flow
