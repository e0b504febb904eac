#include "server/cli/online_checks.hpp"

#include "agent/models/factory.hpp"
#include "agent/models/provider.hpp"
#include "agent/talk/refusal_words.hpp"
#include "net/origin.hpp"
#include "net/resolver.hpp"
#include "server/telegram/bot_api.hpp"
#include "server/views/bot_findings.hpp"
#include "server/views/group_checks.hpp"

#include <fmt/format.h>

#include <array>

namespace postrider::cli {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds model_patience = 10s;
constexpr base::duration name_patience = 5s;

// What Telegram's server connects to.
constexpr std::array telegrams_ports{"443", "80", "88", "8443"};

std::string expected_webhook(server::bot_config const& bot, std::string const& public_url) {
    auto const base = net::parse_base_url(public_url);
    return base ? base->origin + base->path + "/telegram/" + bot.name : std::string{};
}

bool is_private(boost::asio::ip::address const& address) {
    if (address.is_loopback() || address.is_unspecified()) return true;
    if (address.is_v6()) {
        auto const first = address.to_v6().to_bytes()[0];
        return address.to_v6().is_link_local() || (first & 0xfe) == 0xfc;
    }
    auto const bytes = address.to_v4().to_bytes();
    return bytes[0] == 10 || (bytes[0] == 172 && (bytes[1] & 0xf0) == 16) ||
           (bytes[0] == 192 && bytes[1] == 168) || (bytes[0] == 169 && bytes[1] == 254);
}

finding describe_addresses(std::string const& host, net::endpoints const& addresses) {
    std::string list;
    bool reachable = false;
    for (auto const& resolved : addresses) {
        list += (list.empty() ? "" : ", ") + resolved.address().to_string();
        reachable = reachable || !is_private(resolved.address());
    }
    if (reachable) return {"public url", verdict::ok, host + " is " + list};
    return {
        "public url",
        verdict::warn,
        host + " is " + list +
            ", which the world cannot reach; Telegram resolves the name by "
            "itself: is it another one outside?"};
}

base::awaitable<findings> look_at_bot(
    net::http_client& http,
    server::bot_config const& bot,
    std::string public_url,
    bool watches_groups
) {
    auto const name = "telegram " + bot.name;
    findings result;
    auto api = telegram::make_bot_api(http, base::system_clock(), {bot.api_base, bot.token});
    if (!api) {
        result.push_back({name, verdict::fail, base::to_string(api.error())});
        co_return result;
    }
    auto const me = co_await (*api)->get_me();
    result.push_back(server::token_finding(name, me));
    if (!me) co_return result;
    auto const info = co_await (*api)->get_webhook_info();
    if (info) {
        auto const expected_url = expected_webhook(bot, public_url);
        auto const now = base::system_clock().now();
        result.push_back(server::webhook_finding(bot.name, *info, expected_url, now));
    } else {
        auto reason = agent::refusal_in_words(info.error().cause);
        result.push_back({"webhook " + bot.name, verdict::fail, std::move(reason)});
    }
    if (watches_groups && !bot.allowlist.chats.empty())
        append(result, co_await server::look_at_groups(**api, bot, *me, true));
    co_return result;
}

} // namespace

base::awaitable<findings> look_at_bots(
    net::http_client& http,
    std::vector<server::bot_config> const& bots,
    std::string public_url,
    bool watches_groups
) {
    findings all;
    if (bots.empty()) all.push_back({"telegram", verdict::ok, "no token: Telegram is simulated"});
    for (auto const& bot : bots)
        append(all, co_await look_at_bot(http, bot, public_url, watches_groups));
    co_return all;
}

base::awaitable<findings> look_at_models(
    net::http_client& http, std::map<std::string, agent::model_options, std::less<>> const& models
) {
    findings results;
    for (auto const& [name, configured] : models) {
        auto options = configured;
        options.timeout = model_patience;
        auto const answer = co_await agent::probe_model(options, http, base::system_clock());
        auto const* owner = agent::find_provider(options.provider);
        std::string_view const model = options.model.empty() ? owner->default_model : options.model;
        finding result{"model " + name, verdict::ok, fmt::format("{}/{}", options.provider, model)};
        if (owner->is_built_in())
            result.detail += ", built in";
        else if (answer)
            result.detail += " answers and takes the key";
        else
            result = {
                result.subject,
                verdict::fail,
                result.detail + ": " + base::to_string(answer.error())};
        results.push_back(std::move(result));
    }
    co_return results;
}

base::awaitable<finding> look_at_public_url(std::string url, std::string api_base) {
    if (url.empty()) co_return finding{"public url", verdict::ok, "none: updates are polled"};
    auto const base = net::parse_base_url(url);
    auto const where =
        base ? net::parse_origin(base->origin) : base::result<net::origin>(base.error());
    if (!where) co_return finding{"public url", verdict::fail, base::to_string(where.error())};
    bool const telegrams = api_base == server::telegrams_own;
    if (telegrams && !where->tls)
        co_return finding{"public url", verdict::fail, url + " is not https: Telegram wants TLS"};
    if (telegrams && std::ranges::find(telegrams_ports, where->port) == telegrams_ports.end())
        co_return finding{
            "public url",
            verdict::fail,
            "port " + where->port + ": Telegram connects to 443, 80, 88 and 8443 only"};
    auto const executor = co_await base::asio::this_coro::executor;
    net::resolver names(executor);
    auto const addresses = co_await names.resolve(
        where->host, where->port, base::system_clock().steady() + name_patience
    );
    if (!addresses)
        co_return finding{
            "public url",
            verdict::fail,
            where->host + ": " + base::to_string(addresses.error()) +
                "; Telegram must be able to resolve the name"};
    co_return describe_addresses(where->host, *addresses);
}

} // namespace postrider::cli
