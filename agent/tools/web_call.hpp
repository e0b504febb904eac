#pragma once
// What a request to the web must keep to, whether a model or a flow wrote it. Pure.
#include "base/error.hpp"
#include "net/guarded_client.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

// The method asks for nothing to happen: GET, HEAD and OPTIONS.
bool only_reads(std::string_view method) noexcept;
// Sending it twice equals sending it once.
bool is_repeatable(std::string_view method) noexcept;

// invalid: too many, not a header, or one that the connection sets or that says who asks. The values are texts.
base::result<net::header_list> request_headers(boost::json::object const& fields);
void add_unless_set(net::header_list& headers, std::string name, std::string value);

// The request reaches hosts that both lists have; an empty list has every host. Only the operator's leads
// to addresses that are not public, and only by hosts that can mean no other: the owner of a public name
// could point it anywhere.
void set_hosts(
    net::web_request& request, std::vector<std::string> operators, std::vector<std::string> flows
);

// The credential that a node names; null: the configuration has none of the name. not_found, or invalid
// where a key would be sent in the clear to a host that gets it by https.
base::result<net::credential const*> usable_credential(
    net::credential const* credential, std::string_view url
);

// Of a request whose answer did not come, in words for people.
base::error request_failure(base::error failure, std::string_view method, std::size_t answer_limit);

// Whether the same request may do better later. What has acted perhaps is not tried again by itself.
base::errc code_of_status(int status, std::string_view method) noexcept;

} // namespace postrider::agent
