// Chat Completions, the dialect of compatible servers: POST {base}/chat/completions.
#include "agent/models/errors.hpp"
#include "agent/models/openai_wire.hpp"
#include "agent/models/providers.hpp"

namespace postrider::agent {

namespace {

net::header_list headers_of(model_options const& options) {
    net::header_list made;
    if (!options.api_key.empty()) made.add("Authorization", "Bearer " + options.api_key.reveal());
    return made;
}

bool is_openai(net::base_url const& base) {
    return base.origin == "https://api.openai.com";
}

class openai_chat final : public model {
public:
    openai_chat(
        model_options options, net::base_url base, net::http_client& client, base::clock& clock
    )
        : options_(std::move(options)),
          base_(std::move(base)),
          client_(client),
          clock_(clock),
          name_("openai/" + options_.model) {}

    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {.tools = true, .vision = true}; }
    base::awaitable<base::result<chat_reply>> chat(chat_request request) override;

private:
    model_options options_;
    net::base_url base_;
    net::http_client& client_;
    base::clock& clock_;
    std::string name_;
};

base::awaitable<base::result<chat_reply>> openai_chat::chat(chat_request request) {
    auto explain = [this](net::http_answer const& answer) {
        return openai_error(answer, options_.model, clock_.now());
    };
    auto body = co_await wire::post(
        client_,
        base_,
        "/chat/completions",
        headers_of(options_),
        openai::chat_body(request, options_, is_openai(base_)),
        options_.timeout,
        explain,
        openai::completion_stream_of(request.hear)
    );
    if (!body) co_return body.error();
    co_return openai::read_completion(*body, options_.model);
}

} // namespace

std::unique_ptr<model> make_openai_chat(
    model_options options, net::base_url base, net::http_client& client, base::clock& clock
) {
    return std::make_unique<openai_chat>(std::move(options), std::move(base), client, clock);
}

base::awaitable<base::result<void>> probe_openai(
    model_options options, net::base_url base, net::http_client& client, base::clock& clock
) {
    auto explain = [&](net::http_answer const& answer) {
        return openai_error(answer, options.model, clock.now());
    };
    // Compatible servers list their models, but few know the address of a single one.
    bool const one = options.api == openai_api::responses;
    std::string path = one ? "/models/" + options.model : "/models";
    auto answer = co_await wire::get(
        client, base, std::move(path), headers_of(options), options.timeout, explain
    );
    if (!answer) co_return answer.error();
    co_return base::result<void>{};
}

} // namespace postrider::agent
