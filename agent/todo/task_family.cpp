#include "agent/todo/task_family.hpp"

#include "agent/todo/answer_check.hpp"
#include "agent/todo/dialogue.hpp"
#include "agent/todo/rules_turn.hpp"
#include "agent/todo/task_words.hpp"

namespace postrider::agent::todo {

namespace {

class family final : public tool_family {
public:
    std::vector<chat_message> without_turns_of_others(
        std::vector<chat_message> earlier, user_id speaker
    ) const override {
        return without_tasks_of_others(std::move(earlier), speaker);
    }
    std::string question_about(
        std::string_view tool, boost::json::object const& arguments, std::string_view language
    ) const override {
        return todo::question_about(tool, arguments, replies_in(language));
    }
    std::string review(std::string said, turn_account const& turn) const override {
        return checked_answer(std::move(said), turn.results, turn.question, turn.language);
    }
    std::string complete(std::string said, turn_account const& turn) const override {
        return with_confirmations(std::move(said), turn.results, turn.language);
    }
    rules_reply next_reply(rules_turn const& turn) const override { return todo::next_reply(turn); }
    std::string_view note_on_kept_data(std::string_view language) const override {
        return replies_in(language).tasks_stay;
    }
};

} // namespace

tool_family const& task_family() noexcept {
    static family const value;
    return value;
}

} // namespace postrider::agent::todo
