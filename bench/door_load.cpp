#include "bench/door_load.hpp"

#include "bench/post_load.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace postrider::bench {

namespace {

// The id in {"conversation_id":"…"}.
std::string conversation_in(std::string_view body) {
    constexpr std::string_view name = R"("conversation_id":")";
    auto const at = body.find(name);
    if (at == body.npos) throw std::runtime_error("no conversation: " + std::string(body));
    return std::string(body.substr(at + name.size(), 36));
}

bool is_taken(load_connection::answer const& answer) {
    return answer.status == 200 || answer.status == 202;
}

base::awaitable<std::vector<std::string>> begin_conversations(door_plan const& plan) {
    auto connection = co_await load_connection::open(plan.server);
    auto const request = post("/api/v1/conversations", plan.token, "{}");
    std::vector<std::string> all;
    for (int i = 0; i < plan.conversations; ++i) {
        auto const answer = co_await connection.exchange(request);
        all.push_back(conversation_in(answer.body));
    }
    co_return all;
}

// Telegram's updates, or their bodies for a webhook.
class update_posts final : public post_source {
public:
    update_posts(door_plan const& plan, update_source updates)
        : of_(plan.of),
          path_(plan.path),
          token_(plan.token),
          updates_(std::move(updates)) {}

    std::string next() override {
        if (of_ == door::telegram) return updates_.next().bytes;
        return post(path_, token_, updates_.next_body());
    }
    bool accepts(load_connection::answer const& answer) override { return is_taken(answer); }

private:
    door of_;
    std::string path_;
    std::string token_;
    update_source updates_;
};

class chat_posts final : public post_source {
public:
    chat_posts(std::string token, std::vector<std::string> conversations)
        : token_(std::move(token)),
          conversations_(std::move(conversations)) {}

    std::string next() override {
        auto const& id = conversations_[number_++ % conversations_.size()];
        auto const body = fmt::format(R"({{"text":"{} [{}]"}})", question, number_);
        return post("/api/v1/conversations/" + id + "/messages", token_, body);
    }
    bool accepts(load_connection::answer const& answer) override { return is_taken(answer); }

private:
    std::string token_;
    std::vector<std::string> conversations_;
    std::size_t number_ = 0;
};

} // namespace

base::awaitable<void> run_door(door_plan plan, update_source updates) {
    std::shared_ptr<post_source> source;
    if (plan.of == door::chat) {
        auto conversations = co_await begin_conversations(plan);
        source = std::make_shared<chat_posts>(plan.token, std::move(conversations));
    } else {
        source = std::make_shared<update_posts>(plan, std::move(updates));
    }
    std::vector<std::shared_ptr<post_source>> sources(
        static_cast<std::size_t>(plan.connections), source
    );
    co_await post_all(plan.server, std::move(sources), plan.requests);
}

} // namespace postrider::bench
