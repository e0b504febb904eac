#include "server/cli/mcp_offers.hpp"

#include "agent/models/dropped_words.hpp"
#include "base/async.hpp"
#include "base/log.hpp"
#include "base/texts.hpp"
#include "server/cli/log_setup.hpp"
#include "server/cli/online_work.hpp"
#include "server/cli/table.hpp"
#include "server/start/config.hpp"

#include <fmt/format.h>

#include <set>
#include <span>

namespace postrider::cli {

namespace {

namespace mcp = agent::mcp;
using base::errc;

constexpr base::duration check_patience_of_mcp = std::chrono::seconds{10};
constexpr std::size_t most_named = 5;
constexpr std::size_t longest_words = 160;
constexpr std::size_t shortest_secret = 4; // shorter ones stand in many words

base::awaitable<void> ask_mcp_server(
    net::http_client& http, mcp::server_options options, base::duration patience, mcp_offer& answer
) {
    options.client.handshake.timeout = std::min(options.client.handshake.timeout, patience);
    options.client.list_timeout = std::min(options.client.list_timeout, patience);
    auto const executor = co_await boost::asio::this_coro::executor;
    auto const client = mcp::make_client(executor, http, std::move(options));
    auto list = co_await base::with_timeout(client->list_tools(), patience);
    if (list) {
        answer.list = std::move(*list);
        answer.agreed = client->agreed().value_or(mcp::agreement());
    } else {
        answer.failure = list.error();
    }
    co_await client->close();
    if (answer.failure) answer.diagnostics = client->diagnostics();
}

void hide(std::string& text, base::secret const& secret) {
    auto const hide_word = [&](std::string_view word) {
        if (word.size() >= shortest_secret) base::replace_all(text, word, "***");
    };
    hide_word(secret.reveal());
    // "Bearer TOKEN"
    hide_word(std::string_view(secret.reveal()).substr(secret.reveal().rfind(' ') + 1));
}

std::string without_secrets(std::string text, mcp::server_options const& options) {
    for (auto const& [name, value] : options.headers) hide(text, value);
    if (options.command)
        for (auto const& [name, value] : options.command->environment) hide(text, value);
    return one_line(text, longest_words);
}

std::string last_line(std::string_view text) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    return std::string(text.substr(text.rfind('\n') + 1));
}

std::string advice_on(mcp::server_options const& options, base::error const& failure) {
    if (failure == errc::unauthorized)
        return "; it refuses the login: is the token or the secret header of it right?";
    if (failure == errc::timeout)
        return options.command ? "; does the program hang?" : "; is the way to it open?";
    if (failure == errc::refused && options.command) return "; is the program installed?";
    return {};
}

finding describe_failure(
    std::string const& name, mcp_offer const& offered, mcp::server_options const& options
) {
    auto detail = without_secrets(base::to_string(*offered.failure), options);
    detail += advice_on(options, *offered.failure);
    if (auto const words = last_line(offered.diagnostics); !words.empty())
        detail += fmt::format("; it wrote: {}", without_secrets(words, options));
    return {
        "mcp " + name,
        verdict::fail,
        detail + ". Agents go on without its tools",
        "postrider mcp tools " + in_shell(name)};
}

// "a, b, c, d, e and 3 more"
std::string few_of(std::vector<std::string> const& names) {
    auto const shown_count = std::min(names.size(), most_named);
    auto text = base::joined(std::span(names).first(shown_count), ", ");
    if (names.size() > shown_count) text += fmt::format(" and {} more", names.size() - shown_count);
    return text;
}

finding describe_offer(
    std::string const& name,
    mcp_offer const& offered,
    std::vector<storage::refused_tool_row> const& refused
) {
    std::vector<std::string> simplified;
    std::set<std::string> words;
    for (auto const& tool : offered.list.tools) {
        auto const dropped = agent::dropped_words(tool.input_schema);
        words.insert(dropped.begin(), dropped.end());
        if (!dropped.empty()) simplified.push_back(one_line(tool.name, longest_words));
    }
    std::vector<std::string> left_out;
    for (auto const& dropped : offered.list.dropped)
        left_out.push_back(
            one_line(fmt::format("{} ({})", dropped.name, dropped.reason), longest_words)
        );
    std::vector<std::string> by_models;
    for (auto const& row : refused)
        if (row.tool.starts_with(name + "_"))
            by_models.push_back(
                one_line(fmt::format("{} by {}", row.tool, row.model), longest_words)
            );
    finding result{
        "mcp " + name,
        verdict::ok,
        fmt::format(
            "reachable, revision {}, {} tools", offered.agreed.revision, offered.list.tools.size()
        )};
    if (!simplified.empty())
        result.detail += fmt::format(
            "; models are not told all of the parameters of {} ({})",
            few_of(simplified),
            one_line(base::joined(words, ", "), longest_words)
        );
    if (!left_out.empty()) result.detail += "; cannot be used: " + few_of(left_out);
    if (!by_models.empty()) result.detail += "; refused: " + few_of(by_models);
    if (left_out.empty() && by_models.empty()) return result;
    result.verdict = verdict::warn;
    result.advice = "postrider mcp tools " + in_shell(name);
    return result;
}

} // namespace

base::awaitable<mcp_offers> ask_mcp_servers(
    net::http_client& http, mcp_servers servers, base::duration patience
) {
    mcp_offers answers;
    std::vector<base::awaitable<void>> asking;
    for (auto& [name, options] : servers)
        asking.push_back(ask_mcp_server(http, std::move(options), patience, answers[name]));
    co_await base::run_together("mcp.ask", std::move(asking));
    co_return answers;
}

findings look_at_mcp(
    mcp_servers const& servers, std::vector<storage::refused_tool_row> const& refused
) {
    if (servers.empty()) return {};
    auto const offers = run_online([&](net::http_client& http) {
        return ask_mcp_servers(http, servers, check_patience_of_mcp);
    });
    return describe_mcp(offers, servers, refused);
}

void keep_log_quiet(context const& in) {
    if (by_default(in, "log.level"))
        base::log::configure(base::log::level::error, in.configured.values.log_format);
}

findings describe_mcp(
    mcp_offers const& offers,
    mcp_servers const& servers,
    std::vector<storage::refused_tool_row> const& refused
) {
    findings result;
    for (auto const& [name, offered] : offers)
        result.push_back(
            offered.failure ? describe_failure(name, offered, servers.at(name))
                            : describe_offer(name, offered, refused)
        );
    return result;
}

} // namespace postrider::cli
