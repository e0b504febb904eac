#pragma once
// What a request proves itself with at some hosts: a token, a password, or a key in a header or the query.
// guarded_client sends it to these hosts alone. Pure.
#include "base/secret.hpp"
#include "net/http.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::net {

enum class credential_kind { bearer, basic, header, query };

struct credential {
    credential_kind kind = credential_kind::bearer;
    std::string name = {};          // of the header or the query's parameter
    std::string user = {};          // basic
    base::secret value;             // token, password or key
    std::vector<std::string> hosts; // patterns (host_pattern.hpp); no host without one
};

using credentials = std::map<std::string, credential, std::less<>>; // by their names

// A name or an address of this network, as it is in a URL. An address of the internet is not; a name of the
// internet neither.
bool is_of_this_network(std::string const& host);

// Whether it may be sent to that URL or origin: to a host that it names, by https unless the host is a name
// or an address of this network.
bool may_be_sent(credential const& credential, std::string_view url);
// True where it would be sent there if that were https.
bool only_lacks_encryption(credential const& credential, std::string_view url);

// Adds it to a request, in place of a header or parameter that a server could take for it, however that is
// written. `target`: path and query.
void prove(credential const& credential, header_list& headers, std::string& target);

// The text with *** wherever the secret stands, as it is sent or as it was configured: also in a URL and in
// JSON. One of less than six characters stands in many a text by chance, and is left.
std::string without_secret(std::string text, credential const& credential);

} // namespace postrider::net
