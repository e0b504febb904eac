// The Messages API: POST {base}/v1/messages.
#include "agent/models/anthropic_wire.hpp"
#include "agent/models/errors.hpp"
#include "agent/models/providers.hpp"

namespace postrider::agent {

namespace {

// A long server-side turn is asked on so many times. We declare no server tools, so it is rare.
constexpr int most_pauses = 3;

net::header_list headers_of(model_options const& options) {
    return {
        {"x-api-key", options.api_key.reveal()}, {"anthropic-version", options.anthropic_version}};
}

// People write the address with and without the version.
net::base_url without_version(net::base_url base) {
    if (base.path.ends_with("/v1")) base.path.resize(base.path.size() - 3);
    return base;
}

class anthropic_model final : public model {
public:
    anthropic_model(
        model_options options, net::base_url base, net::http_client& client, base::clock& clock
    )
        : options_(std::move(options)),
          base_(std::move(base)),
          client_(client),
          clock_(clock),
          name_("anthropic/" + options_.model) {}

    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {.tools = true, .vision = true}; }
    base::awaitable<base::result<chat_reply>> chat(chat_request request) override;

private:
    base::awaitable<base::result<anthropic::parsed>> ask(chat_request const& request);

    model_options options_;
    net::base_url base_;
    net::http_client& client_;
    base::clock& clock_;
    std::string name_;
};

base::awaitable<base::result<anthropic::parsed>> anthropic_model::ask(chat_request const& request) {
    auto explain = [this](net::http_answer const& answer) {
        return anthropic_error(answer, options_.model, clock_.now());
    };
    auto body = co_await wire::post(
        client_,
        base_,
        "/v1/messages",
        headers_of(options_),
        anthropic::request_body(request, options_, name_),
        options_.timeout,
        explain,
        anthropic::stream_of(request.hear, options_.model)
    );
    if (!body) co_return body.error();
    co_return anthropic::read_reply(*body, name_);
}

base::awaitable<base::result<chat_reply>> anthropic_model::chat(chat_request request) {
    std::string said;
    token_usage used;
    for (int pauses = 0;; ++pauses) {
        auto answer = co_await ask(request);
        if (!answer) co_return answer.error();
        auto& reply = answer->reply;
        used.input += reply.usage.input;
        used.cached += reply.usage.cached;
        used.output += reply.usage.output;
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

} // namespace

std::unique_ptr<model> make_anthropic(
    model_options options, net::base_url base, net::http_client& client, base::clock& clock
) {
    return std::make_unique<anthropic_model>(
        std::move(options), without_version(std::move(base)), client, clock
    );
}

base::awaitable<base::result<void>> probe_anthropic(
    model_options options, net::base_url base, net::http_client& client, base::clock& clock
) {
    auto explain = [&](net::http_answer const& answer) {
        return anthropic_error(answer, options.model, clock.now());
    };
    auto answer = co_await wire::get(
        client,
        without_version(std::move(base)),
        "/v1/models/" + options.model,
        headers_of(options),
        options.timeout,
        explain
    );
    if (!answer) co_return answer.error();
    co_return base::result<void>{};
}

} // namespace postrider::agent
