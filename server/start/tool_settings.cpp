#include "server/start/tool_settings.hpp"

#include "net/host_pattern.hpp"

namespace postrider::server {

using enum base::setting_type;

std::vector<base::setting> tool_rows() {
    return {
        {"tools.*.risk",
         "",
         text,
         "",
         "low|medium|high",
         "of every call of the tool; empty = as the tool says"},
        {"tools.*.allowed_hosts",
         "",
         words,
         "",
         "",
         "of `tools.http_request`: `example.org`, `*.example.org` or `10.0.0.7:8080`; empty = any "
         "public address. Private addresses and local names are reached only when they stand here"},
        {"tools.*.url",
         "",
         url,
         "",
         "",
         "of `tools.web_search`: a SearXNG server whose `search.formats` has json; with an "
         "`api_key` a server that speaks Brave's API, by default Brave's own"},
        {"tools.*.api_key",
         "",
         secret,
         "",
         "",
         "of `tools.web_search`: for Brave's search API; or `api_key_file`"},
    };
}

void read_tools(base::settings const& from, config& into, std::vector<std::string>& problems) {
    for (auto const& name : from.names("tools")) {
        auto const key = "tools." + name;
        agent::tool_configuration tool;
        tool.risk = agent::risk_from_string(from.text(key + ".risk"));
        tool.allowed_hosts = from.words(key + ".allowed_hosts");
        if (!tool.allowed_hosts.empty() && name != "http_request")
            problems.push_back(key + ".allowed_hosts: only tools.http_request has it");
        tool.url = from.text(key + ".url");
        if (auto secret = from.text(key + ".api_key"); !secret.empty())
            tool.api_key = base::secret(std::move(secret));
        if (name != "web_search" && (tool.api_key || !tool.url.empty()))
            problems.push_back(key + ": only tools.web_search has url and api_key");
        for (auto const& host : tool.allowed_hosts)
            if (!net::is_host_pattern(host))
                problems.push_back(
                    key + ".allowed_hosts: '" + host +
                    "' is no host; write example.org, *.example.org or 10.0.0.7:8080, without a "
                    "scheme or a path"
                );
        into.tools.emplace(name, std::move(tool));
    }
}

} // namespace postrider::server
