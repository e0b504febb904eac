#include "agent/models/http_model.hpp"

#include "agent/models/errors.hpp"
#include "agent/models/optional_parameters.hpp"
#include "agent/models/refused_tools.hpp"
#include "agent/models/unseen_images.hpp"
#include "agent/models/vendor_words.hpp"
#include "agent/models/wire.hpp"
#include "base/json/json.hpp"
#include "base/log.hpp"

#include <algorithm>
#include <map>

namespace postrider::agent {

namespace {

// A long server-side turn is asked on so many times. We declare no server tools, so it is rare.
constexpr int most_pauses = 3;

class http_model final : public model {
public:
    http_model(
        provider const& provider,
        wire_api const& api,
        model_options options,
        net::base_url address,
        net::http_client& client,
        base::clock& clock
    )
        : provider_(provider),
          api_(api),
          options_(std::move(options)),
          address_(std::move(address)),
          client_(client),
          clock_(clock),
          name_(std::string(provider.name) + "/" + options_.model),
          is_vendors_(is_vendors(provider, options_.base_url)),
          echo_(name_) {
        if (&api_ != provider.apis.data()) echo_.append(" over ").append(api_.name);
        if (!is_vendors_) echo_.append(" at ").append(address_.origin);
        if (auto const* entry = find_known_model(provider, options_.model)) {
            forces_tools_ = entry->forced_tools;
            has_vision_ = entry->vision;
            takes_tools_ = entry->tools;
        }
        has_vision_ = options_.has_vision.value_or(has_vision_);
        takes_tools_ = options_.takes_tools.value_or(takes_tools_);
    }

    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override {
        return {.tools = takes_tools_, .vision = has_vision_};
    }
    base::awaitable<base::result<chat_reply>> chat(chat_request request) override;

private:
    // `refusal`: what the server says of a request that it does not take.
    base::awaitable<base::result<wire_reply>> ask(
        chat_request const& request, refusal_words* refusal = nullptr
    );
    base::awaitable<base::result<wire_reply>> ask_without_refused(chat_request& request);
    void leave_out_refused(chat_request& request);
    void remember(refused_parameter const& refused, chat_request const& request);
    void leave_out_tool(tool_spec const& tool, base::error const& failure, chat_request& request);
    void remember_refused(tool_spec const& tool, base::error const& failure);
    bool is_refused(tool_spec const& tool) const;
    base::error without_own_key(base::error failure) const;
    base::error with_successor(base::error failure) const;
    base::awaitable<base::result<wire_reply>> ask_without_state(chat_request& request);
    bool drop_state(chat_request& request, std::size_t end) const;
    std::string body_of(chat_request const& request, wire_peer const& peer);

    provider const& provider_;
    wire_api const& api_;
    model_options options_;
    net::base_url address_;
    net::http_client& client_;
    base::clock& clock_;
    std::string name_;
    bool is_vendors_;
    std::string echo_; // the model, and by which way it is asked
    bool forces_tools_ = true;
    bool has_vision_ = true;
    bool takes_tools_ = true;
    bool has_tried_temperature_ = false;
    bool limits_completion_ = false; // by the server's word
    // By the server's word: its last value, or none for any.
    std::map<optional_parameter const*, std::optional<std::string>> refused_;
    std::vector<tool_spec> refused_tools_;   // as they were then
    std::vector<refused_tool> new_refusals_; // that no reply has told of
};

void report_left_out(
    std::string const& model, std::string_view parameter, std::string_view reason
) {
    base::log::warn(
        "model.parameter_left_out", {{"model", model}, {"parameter", parameter}, {"reason", reason}}
    );
}

// Reasoning models of the vendor say it, also behind a server that is only compatible.
bool names_other_limit(base::error const& failure) {
    return failure.detail.find("max_completion_tokens") != std::string::npos;
}

// A temperature that the model refuses is left out by its API's own function: that is told once.
std::string http_model::body_of(chat_request const& request, wire_peer const& peer) {
    auto body = api_.request_body(request, peer);
    if (!request.temperature || std::exchange(has_tried_temperature_, true)) return body;
    auto without = request;
    without.temperature.reset();
    if (api_.request_body(without, peer) != body) return body;
    report_left_out(name_, "temperature", "the model refuses any");
    return body;
}

bool http_model::is_refused(tool_spec const& tool) const {
    return std::ranges::find(refused_tools_, tool) != refused_tools_.end();
}

// What is known to be refused, and what the server has refused before.
void http_model::leave_out_refused(chat_request& request) {
    if (!forces_tools_ && request.choice == tool_choice::required && !request.tools.empty())
        ask_for_tools_in_words(request);
    auto const is_known = [this](tool_spec const& tool) { return is_refused(tool); };
    if (std::ranges::any_of(request.tools, is_known))
        request.tools = without_tools(request.tools, is_known);
    for (auto const& [parameter, value] : refused_)
        if (parameter->is_sent(request) && (!value || parameter->value(request) == *value))
            parameter->leave_out(request);
}

// Told when it is new. What is refused by its value and has none to be known by may be sent again.
void http_model::remember(refused_parameter const& refused, chat_request const& request) {
    auto const* parameter = refused.parameter;
    bool is_new = true;
    // Where the operator says that it sees, this was one image; otherwise nobody loads any for it again.
    bool const is_of_images = parameter->is_sent == has_images;
    bool const is_of_any =
        refused.by == parameter_refusal::of_any && !(is_of_images && options_.has_vision == true);
    if (is_of_images && is_of_any) has_vision_ = false;
    if (refused.parameter->is_sent == has_tools) takes_tools_ = false;
    if (is_of_any)
        is_new = refused_.insert_or_assign(parameter, std::nullopt).second;
    else if (auto value = parameter->value(request); !value.empty())
        is_new = refused_.insert_or_assign(parameter, std::move(value)).second;
    if (is_new) report_left_out(name_, parameter->name, "the server refuses it");
}

bool is_foreign(chat_request const& request, tool_spec const& tool) {
    return request.foreign_tools.contains(tool.name);
}

// A schema is refused, and nothing says whose.
bool may_be_foreign(chat_request const& request, refusal_words const& said) {
    return refuses_a_schema(said) && std::ranges::any_of(request.tools, [&](auto const& tool) {
               return is_foreign(request, tool);
           });
}

// Each time without the parameter or tool that was refused. Where a schema is, and nothing says whose, once
// without all tools that others describe: the server's answer proves that one of them was meant.
base::awaitable<base::result<wire_reply>> http_model::ask_without_refused(chat_request& request) {
    auto const offered = request.tools;
    std::optional<base::error> unnamed; // the refusal that did not say whose
    for (;;) {
        refusal_words refusal;
        auto answer = co_await ask(request, &refusal);
        if (answer && unnamed)
            for (auto const& tool : offered)
                if (is_foreign(request, tool) && !is_refused(tool))
                    remember_refused(tool, *unnamed);
        if (answer) co_return answer;
        // Of an answer of status 200 that turns out to be a refusal.
        if (refusal.message.empty()) refusal.message = answer.error().detail;
        bool const is_invalid = answer.error() == base::errc::invalid;
        auto const* tool = is_invalid ? find_refused_tool(request.tools, refusal) : nullptr;
        auto const refused = find_refused(request, answer.error(), refusal);
        bool const is_of_one_tool =
            tool && refused.parameter && refused.parameter->is_sent == has_tools;
        if (refused.parameter && !is_of_one_tool) {
            remember(refused, request);
            refused.parameter->leave_out(request);
        } else if (is_invalid && !limits_completion_ && names_other_limit(answer.error())) {
            limits_completion_ = true; // here and in every later request
        } else if (tool) {
            leave_out_tool(*tool, answer.error(), request);
        } else if (is_invalid && !unnamed && may_be_foreign(request, refusal)) {
            unnamed = answer.error();
            request.tools = without_tools(request.tools, [&request](auto const& offered_tool) {
                return is_foreign(request, offered_tool);
            });
        } else {
            if (unnamed) request.tools = offered;
            co_return answer;
        }
    }
}

void http_model::remember_refused(tool_spec const& tool, base::error const& failure) {
    base::log::warn(
        "model.tool_left_out",
        {{"model", name_}, {"tool", tool.name}, {"error", without_words(failure)}}
    );
    new_refusals_.push_back({tool.name, failure.detail});
    refused_tools_.push_back(tool);
}

// The conversation goes on without it, here and in every later request.
void http_model::leave_out_tool(
    tool_spec const& tool, base::error const& failure, chat_request& request
) {
    remember_refused(tool, failure);
    request.tools = without_tools(request.tools, [this](tool_spec const& offered) {
        return offered == refused_tools_.back();
    });
}

base::awaitable<base::result<wire_reply>> http_model::ask(
    chat_request const& request, refusal_words* refusal
) {
    auto explain = [this, refusal](net::http_answer const& answer) {
        if (refusal) *refusal = words_of_refusal(answer.body);
        return provider_.explain(answer, options_.model, clock_.now());
    };
    wire_peer const peer{options_, echo_, is_vendors_, limits_completion_};
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
        std::move(pieces),
        request.accepted
    );
    if (!body) co_return with_successor(without_own_key(body.error()));
    auto reply = api_.read_reply(*body, peer);
    if (!reply) co_return with_successor(without_own_key(reply.error()));
    co_return reply;
}

// Some servers repeat the key that they refuse.
base::error http_model::without_own_key(base::error failure) const {
    return without_key(std::move(failure), options_.api_key.reveal());
}

// Of a model that is gone.
base::error http_model::with_successor(base::error failure) const {
    auto const* entry = find_known_model(provider_, options_.model);
    if (failure == base::errc::not_found && entry && !entry->successor.empty())
        failure.detail.append("; its successor is ").append(entry->successor);
    return failure;
}

// Of the messages before that place. True: there was some.
bool http_model::drop_state(chat_request& request, std::size_t end) const {
    bool dropped = false;
    for (std::size_t i = 0; i < end; ++i) {
        auto& message = request.messages[i];
        if (!wire::blocks_for(message, echo_)) continue;
        message.provider_state = nullptr;
        dropped = true;
    }
    return dropped;
}

// A provider may refuse what it gave before, or no longer have it: to another account, or below a
// history whose beginning is cut by now. The texts and calls alone serve as well. What it gave in this
// turn it usually wants back, so that is dropped last.
base::awaitable<base::result<wire_reply>> http_model::ask_without_state(chat_request& request) {
    auto answer = co_await ask_without_refused(request);
    auto const question =
        std::find_if(request.messages.rbegin(), request.messages.rend(), [](auto const& message) {
            return message.role == role::user;
        });
    auto const turn = static_cast<std::size_t>(request.messages.rend() - question);
    for (auto const end : {turn, request.messages.size()}) {
        bool const refuses = !answer && (answer.error() == base::errc::invalid ||
                                         answer.error() == base::errc::not_found);
        if (refuses && drop_state(request, end)) answer = co_await ask(request);
    }
    co_return answer;
}

base::awaitable<base::result<chat_reply>> http_model::chat(chat_request request) {
    std::string text;
    token_usage used;
    auto const offered = request.tools.size();
    leave_out_refused(request);
    for (int pauses = 0;; ++pauses) {
        auto answer = co_await ask_without_state(request);
        if (!answer) co_return answer.error();
        auto& reply = answer->reply;
        used += reply.usage;
        if (!answer->paused || pauses == most_pauses) {
            reply.usage = used;
            if (reply.stop != stop_reason::refusal) reply.text.insert(0, text);
            reply.refused_tools = std::exchange(new_refusals_, {});
            reply.lacks_tools = request.tools.size() < offered;
            co_return std::move(reply);
        }
        text += reply.text;
        chat_message paused{.role = role::assistant, .content = reply.text};
        paused.provider_state = wire::state(echo_, std::move(answer->blocks));
        request.messages.push_back(std::move(paused));
    }
}

// The body of a page of the provider's; errors are explained, without the key.
base::awaitable<base::result<std::string>> get(
    provider const& provider,
    model_options const& options,
    net::base_url const& address,
    net::http_client& client,
    base::clock& clock,
    std::string path
) {
    auto explain = [&](net::http_answer const& answer) {
        return provider.explain(answer, options.model, clock.now());
    };
    auto headers = provider.headers(options);
    auto body = co_await wire::get(
        client, address, std::move(path), std::move(headers), options.timeout, explain
    );
    if (!body) co_return without_key(body.error(), options.api_key.reveal());
    co_return std::move(*body);
}

} // namespace

std::unique_ptr<model> make_http_model(
    provider const& provider,
    wire_api const& api,
    model_options options,
    net::base_url address,
    net::http_client& client,
    base::clock& clock
) {
    return std::make_unique<http_model>(
        provider, api, std::move(options), std::move(address), client, clock
    );
}

base::awaitable<base::result<void>> probe_over_http(
    provider const& provider,
    wire_api const& api,
    model_options options,
    net::base_url address,
    net::http_client& client,
    base::clock& clock
) {
    auto path = api.probe_path(options.model);
    auto answer = co_await get(provider, options, address, client, clock, std::move(path));
    if (!answer) co_return answer.error();
    co_return base::result<void>{};
}

base::awaitable<base::result<std::vector<std::string>>> names_over_http(
    provider const& provider,
    wire_api const& api,
    model_options options,
    net::base_url address,
    net::http_client& client,
    base::clock& clock
) {
    std::string path(api.list_path);
    auto body = co_await get(provider, options, address, client, clock, std::move(path));
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
