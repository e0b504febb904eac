#pragma once
// The group bot of the real binary in its group: its model is scripted, and its Telegram is simulated. Alice owns
// the bot, and Bob is a member. It has started when the scene is there.
#include "tests/end_to_end/server/scene.hpp"

#include <boost/json/array.hpp>

#include <chrono>
#include <fstream>
#include <string>

namespace postrider::tests {

inline constexpr chat_id group{-100500};

class group_scene : public scene {
public:
    // `more` stands behind the keys of [chatbot]; "" as the action: what the product does at first.
    explicit group_scene(
        std::string const& more = "", int threshold = 8000, std::string const& action = "delete"
    ) {
        std::ofstream settings(product().folder() / "postrider.toml");
        settings << "[chatbot]\nenabled = true\nname = \"Claudir\"\nowner_ids = [7001]\ngroups = "
                    "[-100500]\ndebounce_ms = 700\ncompaction_threshold_tokens = "
                 << threshold << '\n';
        if (!action.empty()) settings << "spam_action = \"" << action << "\"\n";
        settings << more;
        settings.close();
        models.always(fake_reply::saying("(i have nothing to add)"));
        product().start();
    }

    telegram::said write(user_id sender, std::string name, std::string text) {
        return telegram.say(message(sender, std::move(name), std::move(text)));
    }
    static telegram::simulated_message message(user_id sender, std::string name, std::string text) {
        telegram::simulated_message written;
        written.from = sender;
        written.name = std::move(name);
        written.group = group;
        written.text = std::move(text);
        return written;
    }
    bool asked(std::size_t times) const {
        return models.wait_for_requests(times, std::chrono::seconds{20});
    }
    bool is_quiet() const {
        return comes_true("select not exists (select from postrider.job where finished_at is null)"
        );
    }
    // What the n-th request has of people and the bot, without the note at its end.
    std::string context(std::size_t request) const {
        std::string text;
        auto const requests = models.requests();
        for (auto const& sent : requests.at(request).body.at("messages").as_array()) {
            if (sent.at("role") != boost::json::value("user")) continue;
            for (auto const& block : sent.at("content").as_array())
                if (auto const* words = block.as_object().if_contains("text"))
                    text.append(words->as_string().c_str()).append("\n");
        }
        return text.substr(0, text.find("(The current date"));
    }
    std::string last_words(std::size_t request) const {
        auto const requests = models.requests();
        auto const& sent = requests.at(request).body.at("messages").as_array();
        auto const& blocks = sent.back().at("content").as_array();
        return std::string(blocks.back().at("text").as_string());
    }
};

// The model calls the tool by which the bot speaks.
inline fake_reply sends(std::string text) {
    return fake_reply::calling({{"send_message", {{"text", std::move(text)}}}});
}

} // namespace postrider::tests
