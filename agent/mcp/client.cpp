#include "agent/mcp/client.hpp"

#include "agent/mcp/revision.hpp"
#include "base/log.hpp"
#include "base/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

namespace postrider::agent::mcp {

using base::awaitable;
using base::errc;
using base::error;

namespace {

constexpr base::duration longest_subscription = std::chrono::hours{1};
// A server that has forgotten a session says so to all who asked in it.
constexpr base::duration others_hear_within = std::chrono::seconds{5};
constexpr base::duration look_again = std::chrono::milliseconds{50};
constexpr std::size_t most_keywords_named = 5;

// Whether a page names nothing that the list has not. An empty one may be on the way to others.
bool repeats(tool_page const& page, tool_list const& list) {
    auto const is_known = [&](std::string const& name) {
        return std::ranges::count(list.tools, name, &tool_definition::name) > 0 ||
               std::ranges::count(list.dropped, name, &tool_note::name) > 0;
    };
    return (!page.tools.empty() || !page.dropped.empty()) &&
           std::ranges::all_of(page.tools, is_known, &tool_definition::name) &&
           std::ranges::all_of(page.dropped, is_known, &tool_note::name);
}

// "inputSchema/properties/n/minLength: must be a whole number from 0 on; …"
void add_skipped(std::string_view schema, json_schema::problems const& skipped, std::string& text) {
    auto const named_count = std::min(skipped.size(), most_keywords_named);
    for (auto const& [path, message] : std::span(skipped).first(named_count))
        text += fmt::format("{}{}{}: {}", text.empty() ? "" : "; ", schema, path, message);
    if (skipped.size() > named_count)
        text += fmt::format("; and {} more", skipped.size() - named_count);
}

} // namespace

struct client::connection {
    std::unique_ptr<transport> carrier;
    std::unique_ptr<peer> asking;
    agreement agreed;
};

client::client(
    boost::asio::any_io_executor executor, transport_factory factory, client_options options
)
    : executor_(executor),
      factory_(std::move(factory)),
      options_(std::move(options)),
      connected_(executor),
      tasks_(executor),
      retiring_(std::move(executor)) {}

client::~client() = default;

std::optional<agreement> client::agreed() const {
    if (!current_ || !current_->asking->is_open()) return std::nullopt;
    return current_->agreed;
}

std::string client::diagnostics() const {
    return current_ ? current_->carrier->diagnostics() : last_words_;
}

awaitable<void> client::close() {
    closed_ = true;
    tasks_.cancel();
    co_await tasks_.join();
    connected_.notify();
    if (opening_) retire(std::exchange(opening_, nullptr));
    if (current_) retire(std::exchange(current_, nullptr));
    co_await retiring_.join();
}

// In a task of its own: the caller may be cancelled, others wait for it too.
awaitable<base::result<client::connection_ptr>> client::connect() {
    if (current_ && current_->asking->is_open()) co_return current_;
    if (!closed_ && !connecting_) {
        if (current_) {
            retire(std::exchange(current_, nullptr));
            base::log::warn("mcp.lost", {{"server", options_.name}});
            note_failure(error(errc::unavailable, "the connection was lost"), true);
        }
        if (auto const left = not_before_ - base::system_clock().steady();
            left > base::duration::zero()) {
            auto waiting = error(errc::unavailable, last_failure_.detail);
            waiting.retry_after = std::chrono::ceil<std::chrono::milliseconds>(left);
            co_return waiting;
        }
        connecting_ = true;
        tasks_.spawn("mcp.connect", connect_in_background());
    }
    while (connecting_) co_await connected_.wait();
    if (closed_) co_return error(errc::cancelled, "the client is closed");
    if (!current_) co_return last_failure_;
    co_return current_;
}

awaitable<void> client::connect_in_background() {
    struct ending {
        client& owner;
        ~ending() {
            owner.connecting_ = false;
            owner.connected_.notify();
        }
    };
    ending const at_end{*this};
    auto opened = co_await try_to_connect();
    if (!opened && greets_at_once_) opened = co_await try_to_connect();
    if (!opened) {
        // Its detail may be the server's own words.
        auto const code = opened.error().code;
        base::log::warn("mcp.unavailable", {{"server", options_.name}, {"error", code}});
        note_failure(opened.error(), false);
        co_return;
    }
    current_ = std::move(*opened);
    ++list_version_;
    base::log::info(
        "mcp.connected", {{"server", options_.name}, {"revision", current_->agreed.revision}}
    );
    if (!current_->agreed.lists_change) co_return;
    if (is_stateless(current_->agreed.revision))
        tasks_.spawn("mcp.subscribe", listen(current_));
    else
        current_->carrier->listen();
}

awaitable<base::result<client::connection_ptr>> client::try_to_connect() {
    auto opened = std::make_shared<connection>();
    opened->carrier = factory_();
    peer_options its_options;
    its_options.on_notification = [this](rpc_notification const& notification) {
        hear(notification);
    };
    opened->asking = std::make_unique<peer>(executor_, *opened->carrier, std::move(its_options));
    auto ready = co_await opened->asking->open();
    if (!ready) co_return ready.error();
    opening_ = opened; // close() finds it there, should this be cancelled
    auto handshake = options_.handshake;
    if (greets_at_once_ && handshake.revision.empty())
        handshake.revision = handshake_revisions.front();
    auto agreed = co_await shake_hands(*opened->asking, *opened->carrier, std::move(handshake));
    opening_ = nullptr;
    if (agreed) {
        opened->agreed = std::move(*agreed);
        co_return opened;
    }
    greets_at_once_ = !greets_at_once_ && !opened->asking->is_open();
    retire(std::move(opened));
    // Of what was to be asked, nothing was.
    auto failure = agreed.error();
    if (failure == errc::ambiguous) failure.code = errc::unavailable;
    co_return failure;
}

void client::retire(connection_ptr old, base::duration patience) {
    retiring_.spawn("mcp.retire", end(std::move(old), patience));
}

awaitable<void> client::end(connection_ptr old, base::duration patience) {
    auto const until = base::system_clock().steady() + patience;
    while (!closed_ && old->asking->awaits() && base::system_clock().steady() < until)
        co_await base::sleep_for(look_again);
    co_await old->asking->close();
    last_words_ = old->carrier->diagnostics();
}

void client::note_failure(base::error const& failure, bool was_connected) {
    last_failure_ = failure;
    // A server that was restarted is no failing server.
    if (failures_++ == 0 && was_connected) return;
    auto const chance = base::uniform(base::system_random());
    not_before_ = base::system_clock().steady() +
                  base::retry_delay(options_.reconnection, failures_, chance, failure.retry_after);
}

awaitable<base::result<rpc_outcome>> client::ask(
    std::string method, json::object params, request_options options
) {
    for (bool again = false;; again = true) {
        auto connected = co_await connect();
        if (!connected) co_return connected.error();
        auto const to = *connected;
        auto sent = params;
        if (is_stateless(to->agreed.revision)) add_request_meta(sent, options_.handshake.identity);
        auto outcome = co_await to->asking->request(method, std::move(sent), options);
        if (outcome) failures_ = 0;
        if (outcome || outcome.error().code != errc::stale || again) co_return outcome;
        // The session is gone, and nothing was done. So is what else was asked in it, if the server says
        // so; closed, it would be in doubt.
        if (current_ == to) retire(std::exchange(current_, nullptr), others_hear_within);
    }
}

// Until the connection ends. What it hears comes to hear().
awaitable<void> client::listen(connection_ptr connection) {
    auto const& policy = options_.reconnection;
    for (int silent = 1; connection->asking->is_open(); ++silent) {
        json::object params{{"notifications", {{"toolsListChanged", true}}}};
        add_request_meta(params, options_.handshake.identity);
        request_options limits;
        limits.timeout = limits.total_timeout = longest_subscription;
        auto const start = base::system_clock().steady();
        auto const outcome = co_await connection->asking->request(
            "subscriptions/listen", std::move(params), std::move(limits)
        );
        if (outcome && std::holds_alternative<rpc_error>(*outcome)) co_return; // it has none
        if (base::system_clock().steady() - start > base::longest_delay) silent = 1;
        auto const chance = base::uniform(base::system_random());
        co_await base::sleep_for(base::retry_delay(policy, silent, chance));
        ++list_version_; // what was said meanwhile was not heard
    }
}

void client::hear(rpc_notification const& notification) {
    if (notification.method == "notifications/tools/list_changed") ++list_version_;
}

awaitable<base::result<tool_list>> client::list_tools() {
    tool_list list;
    std::set<std::string> cursors;
    std::optional<std::string> cursor;
    // Connecting is no change of what follows; what is said from now on is.
    auto const connected = co_await connect();
    if (!connected) co_return connected.error();
    list.version = list_version_;
    for (std::size_t asked = 0; asked < options_.most_pages; ++asked) {
        auto page = co_await ask_page(cursor);
        // Many end their list with an empty cursor. Asked by it they begin anew, or refuse it.
        bool const ended = cursor && (page ? repeats(*page, list) : cursor->empty());
        if (!page && !ended) co_return page.error();
        cursor.reset();
        if (!ended) {
            if (!page->is_last) cursor = page->next_cursor;
            auto taken = take_page(std::move(*page), list);
            if (!taken) co_return taken.error();
        }
        if (!cursor || !cursors.insert(*cursor).second) {
            remember(list);
            co_return list;
        }
    }
    co_return error(errc::too_large, "the server's list of tools has too many pages");
}

awaitable<base::result<tool_page>> client::ask_page(std::optional<std::string> cursor) {
    json::object params;
    if (cursor) params["cursor"] = *cursor;
    request_options limits;
    limits.timeout = limits.total_timeout = options_.list_timeout;
    auto outcome = co_await ask("tools/list", std::move(params), std::move(limits));
    if (!outcome) co_return outcome.error();
    if (auto const* failure = std::get_if<rpc_error>(&*outcome)) co_return to_error(*failure);
    co_return read_tool_page(std::get<json::value>(*outcome));
}

base::result<void> client::take_page(tool_page page, tool_list& list) {
    std::ranges::move(page.dropped, std::back_inserter(list.dropped));
    if (page.fresh_for)
        list.fresh_for = std::min(list.fresh_for.value_or(*page.fresh_for), *page.fresh_for);
    for (auto& tool : page.tools) {
        auto same = [&](tool_definition const& other) { return other.name == tool.name; };
        if (std::ranges::any_of(list.tools, same))
            list.dropped.push_back({tool.name, "is in the list twice"});
        else
            list.tools.push_back(std::move(tool));
    }
    if (list.tools.size() + list.dropped.size() > options_.most_tools)
        return error(errc::too_large, "the server has too many tools");
    return {};
}

// A schema that cannot be checked is no promise of what a call holds.
base::result<client::known_tool> client::read_known(tool_definition const& tool) {
    auto marks = read_header_marks(tool.input_schema);
    if (!marks) return marks.error();
    json_schema::compile_options const foreign{.skips_unusable = true};
    auto const input = json_schema::compile(json::value(tool.input_schema), foreign);
    if (!input) return error(errc::invalid, to_text(input.error()));
    known_tool checked{.marks = std::move(*marks), .output = {}, .unchecked = {}};
    add_skipped("inputSchema", input->skipped(), checked.unchecked);
    if (!tool.output_schema) return checked;
    auto output = json_schema::compile(json::value(*tool.output_schema), foreign);
    add_skipped("outputSchema", output ? output->skipped() : output.error(), checked.unchecked);
    if (output) checked.output = std::move(*output);
    return checked;
}

// Drops the tools whose schemas cannot be used.
void client::remember(tool_list& list) {
    known_.clear();
    std::erase_if(list.tools, [&](tool_definition const& tool) {
        auto checked = read_known(tool);
        if (!checked) {
            list.dropped.push_back({tool.name, checked.error().detail});
            return true;
        }
        if (!checked->unchecked.empty()) list.unchecked.push_back({tool.name, checked->unchecked});
        known_.emplace(tool.name, std::move(*checked));
        return false;
    });
    for (auto const& [tool, reason] : news(list.dropped, dropped_))
        base::log::warn(
            "mcp.tool_dropped", {{"server", options_.name}, {"tool", tool}, {"reason", reason}}
        );
    for (auto const& [tool, reason] : news(list.unchecked, unchecked_))
        base::log::warn(
            "mcp.keywords_skipped", {{"server", options_.name}, {"tool", tool}, {"reason", reason}}
        );
}

// Lists are asked for again and again: a line for each change.
std::vector<tool_note> client::news(std::vector<tool_note> const& notes, reported_notes& reported) {
    std::vector<tool_note> changes;
    reported_notes now;
    for (auto const& note : notes) {
        now[note.name] = note.reason;
        auto const entry = reported.find(note.name);
        if (entry == reported.end() || entry->second != note.reason) changes.push_back(note);
    }
    reported = std::move(now);
    return changes;
}

awaitable<base::result<tool_result>> client::call_tool(
    std::string name,
    json::object arguments,
    std::function<void(progress_report const&)> on_progress,
    json::object meta
) {
    for (bool again = false;; again = true) {
        request_options limits;
        limits.timeout = options_.call_timeout;
        limits.total_timeout = options_.longest_call;
        limits.on_progress = on_progress;
        limits.may_act = true;
        if (auto const entry = known_.find(name); entry != known_.end())
            limits.headers = header_fields(entry->second.marks, arguments);
        json::object params{{"name", name}, {"arguments", arguments}};
        if (!meta.empty()) params["_meta"] = meta;
        auto outcome = co_await ask("tools/call", std::move(params), std::move(limits));
        if (!outcome) co_return outcome.error();
        auto const* failure = std::get_if<rpc_error>(&*outcome);
        if (failure && failure->code == rpc_code::header_mismatch && !again) {
            // The schema that the headers came from is not the server's any more.
            auto const list = co_await list_tools();
            if (list) continue;
        }
        if (failure) co_return to_error(*failure);
        auto result = read_tool_result(std::get<json::value>(*outcome));
        if (result) result = check(name, std::move(*result));
        // The tool has run, whatever is wrong with what it says.
        if (!result && result.error() == errc::invalid)
            co_return error(errc::ambiguous, result.error().detail);
        co_return result;
    }
}

base::result<tool_result> client::check(std::string const& tool, tool_result result) const {
    auto const entry = known_.find(tool);
    if (result.is_error || entry == known_.end() || !entry->second.output) return result;
    if (!result.structured)
        return error(errc::invalid, "the tool's result lacks what its schema promises");
    auto const violations = entry->second.output->check(*result.structured);
    if (violations.empty()) return result;
    return error(
        errc::invalid,
        "the tool's result is not of its schema: " + json_schema::to_text(violations, "the result")
    );
}

} // namespace postrider::agent::mcp
