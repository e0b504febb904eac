#include "agent/models/http_model.hpp"

#include "agent/models/vendor_words.hpp"
#include "agent/models/wire.hpp"
#include "base/json.hpp"
#include "base/log.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent {

namespace {

// A long server-side turn is asked on so many times. We declare no server tools, so it is rare.
constexpr int most_pauses = 3;

class http_model final : public model {
public:
    http_model(
        provider const& from,
        wire_api const& api,
        model_options options,
        net::base_url address,
        net::http_client& client,
        base::clock& clock
    )
        : provider_(from),
          api_(api),
          options_(std::move(options)),
          address_(std::move(address)),
          client_(client),
          clock_(clock),
          name_(std::string(from.name) + "/" + options_.model),
          is_vendors_(is_vendors(from, options_.base_url)) {}

    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {.tools = true, .vision = true}; }
    base::awaitable<base::result<chat_reply>> chat(chat_request request) override;

private:
    base::awaitable<base::result<wire_reply>> ask(chat_request const& request);
    base::error without_own_key(base::error failure) const;
    bool drop_earlier_state(chat_request& request) const;
    std::string body_of(chat_request const& request, wire_peer const& peer);

    provider const& provider_;
    wire_api const& api_;
    model_options options_;
    net::base_url address_;
    net::http_client& client_;
    base::clock& clock_;
    std::string name_;
    bool is_vendors_;
    bool has_tried_temperature_ = false;
};

// A temperature that the model refuses is left out by its API's own function: that is told once.
std::string http_model::body_of(chat_request const& request, wire_peer const& peer) {
    auto body = api_.request_body(request, peer);
    if (!request.temperature || std::exchange(has_tried_temperature_, true)) return body;
    auto without = request;
    without.temperature.reset();
    if (api_.request_body(without, peer) != body) return body;
    base::log::warn(
        "model.temperature_left_out",
        {{"model", name_},
         {"temperature", fmt::format("{}", *request.temperature)},
         {"reason", "the model refuses any"}}
    );
    return body;
}

base::awaitable<base::result<wire_reply>> http_model::ask(chat_request const& request) {
    auto explain = [this](net::http_answer const& answer) {
        return provider_.explain(answer, options_.model, clock_.now());
    };
    wire_peer const peer{options_, name_, is_vendors_};
    auto timeout = options_.timeout;
    if (request.timeout.count() > 0) timeout = std::min(timeout, request.timeout);
    std::shared_ptr<wire::stream> pieces;
    if (request.hear) pieces = api_.stream(request.hear, options_.model);
    auto body = co_await wire::post(
        client_,
        address_,
        api_.path,
        provider_.headers(options_),
        body_of(request, peer),
        timeout,
        explain,
        std::move(pieces)
    );
    if (!body) co_return without_own_key(body.error());
    auto reply = api_.read_reply(*body, peer);
    if (!reply) co_return without_own_key(reply.error());
    co_return reply;
}

// Some servers repeat the key that they refuse.
base::error http_model::without_own_key(base::error failure) const {
    return without_key(std::move(failure), options_.api_key.reveal());
}

// Of earlier turns: what the provider gave in this one it wants back. True: there was some.
bool http_model::drop_earlier_state(chat_request& request) const {
    auto& messages = request.messages;
    auto const question = std::find_if(messages.rbegin(), messages.rend(), [](auto const& message) {
        return message.role == role::user;
    });
    bool dropped = false;
    for (auto earlier = question; earlier != messages.rend(); ++earlier) {
        if (!wire::blocks_for(*earlier, name_)) continue;
        earlier->provider_state = nullptr;
        dropped = true;
    }
    return dropped;
}

base::awaitable<base::result<chat_reply>> http_model::chat(chat_request request) {
    std::string said;
    token_usage used;
    for (int pauses = 0;; ++pauses) {
        auto answer = co_await ask(request);
        // A provider may refuse what it gave before, or no longer have it: to another account, or
        // below a history whose beginning is cut by now. The texts and calls alone serve as well.
        bool const refuses = !answer && (answer.error() == base::errc::invalid ||
                                         answer.error() == base::errc::not_found);
        if (refuses && drop_earlier_state(request)) answer = co_await ask(request);
        if (!answer) co_return answer.error();
        auto& reply = answer->reply;
        used += reply.usage;
        if (!answer->paused || pauses == most_pauses) {
            reply.usage = used;
            if (reply.stop != stop_reason::refusal) reply.text.insert(0, said);
            co_return std::move(reply);
        }
        said += reply.text;
        chat_message paused{.role = role::assistant, .content = reply.text};
        paused.provider_state = wire::state(name_, std::move(answer->blocks));
        request.messages.push_back(std::move(paused));
    }
}

// The body of a page of the provider's; errors are explained, without the key.
base::awaitable<base::result<std::string>> get(
    provider const& from,
    model_options const& options,
    net::base_url const& address,
    net::http_client& client,
    base::clock& clock,
    std::string path
) {
    auto explain = [&](net::http_answer const& answer) {
        return from.explain(answer, options.model, clock.now());
    };
    auto headers = from.headers(options);
    auto body = co_await wire::get(
        client, address, std::move(path), std::move(headers), options.timeout, explain
    );
    if (!body) co_return without_key(body.error(), options.api_key.reveal());
    co_return std::move(*body);
}

} // namespace

std::unique_ptr<model> make_http_model(
    provider const& from,
    wire_api const& api,
    model_options options,
    net::base_url address,
    net::http_client& client,
    base::clock& clock
) {
    return std::make_unique<http_model>(
        from, api, std::move(options), std::move(address), client, clock
    );
}

base::awaitable<base::result<void>> probe_over_http(
    provider const& from,
    wire_api const& api,
    model_options options,
    net::base_url address,
    net::http_client& client,
    base::clock& clock
) {
    auto path = api.probe_path(options.model);
    auto answer = co_await get(from, options, address, client, clock, std::move(path));
    if (!answer) co_return answer.error();
    co_return base::result<void>{};
}

base::awaitable<base::result<std::vector<std::string>>> names_over_http(
    provider const& from,
    wire_api const& api,
    model_options options,
    net::base_url address,
    net::http_client& client,
    base::clock& clock
) {
    std::string path(api.list_path);
    auto body = co_await get(from, options, address, client, clock, std::move(path));
    if (!body) co_return body.error();
    auto answer = wire::parse_answer(*body);
    if (!answer) co_return answer.error();
    boost::json::value const parsed(std::move(*answer));
    base::json_reader const root{parsed};
    std::vector<std::string> names;
    for (auto const& item : root["data"].items()) names.push_back(item["id"].string());
    if (root.failed()) co_return wire::unusable_answer(root.failure().detail);
    co_return names;
}

} // namespace postrider::agent
