#include "server/terminal/chat_event.hpp"

#include "base/ascii.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"

#include <charconv>

namespace postrider::terminal {

namespace {

std::optional<job_id> job_in(base::json_reader const& data, std::string_view name) {
    auto const number = data[name].int64_or(0);
    return number > 0 ? std::optional(job_id{number}) : std::nullopt;
}

chat_message read_message(base::json_reader const& data) {
    chat_message message;
    message.id = data["id"].string_or("");
    message.role = data["role"].string_or("");
    message.content = data["content"].string_or("");
    message.tool = data["tool"].string_or("");
    if (auto const* arguments = data["arguments"].raw())
        message.arguments = base::json_text(*arguments);
    message.media = data["media"]["source"].string_or("");
    for (auto const& row : data["buttons"].items_or_none())
        for (auto const& button : row.items_or_none())
            message.buttons.push_back(
                {button["text"].string_or(""),
                 button["data"].string_or(""),
                 button["url"].string_or("")}
            );
    return message;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    auto const begin = text.find_first_not_of(blank);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

} // namespace

chat_event read_chat_event(net::sse_event const& happened) {
    chat_event event;
    auto const parsed = base::parse_json(happened.data);
    if (!parsed || !parsed->is_object()) return event;
    base::json_reader const data{*parsed};
    event.type = happened.type;
    event.job = job_in(data, "job_id");
    event.answered_by = job_in(data, "answered_by");
    event.state = data["state"].string_or("");
    event.paused = data["paused"].string_or("");
    event.lane = data["lane"].string_or("");
    event.tool = data["tool"].string_or("");
    event.text = data["text"].string_or(data["detail"].string_or(""));
    if (happened.type == "message" || happened.type == "message_removed")
        event.message = read_message(data);
    return event;
}

std::vector<chat_button> answers_of(chat_message const& message) {
    std::vector<chat_button> answers;
    for (auto const& button : message.buttons)
        if (!button.data.empty()) answers.push_back(button);
    return answers;
}

std::optional<chat_button> chosen_answer(chat_message const& question, std::string_view written) {
    auto const answers = answers_of(question);
    auto const words = trimmed(written);
    for (auto const& answer : answers)
        if (base::equals_without_case(trimmed(answer.text), words)) return answer;
    std::size_t number = 0;
    auto const [end, ec] = std::from_chars(words.data(), words.data() + words.size(), number);
    bool const is_number = ec == std::errc{} && end == words.data() + words.size();
    if (!is_number || number < 1 || number > answers.size()) return std::nullopt;
    return answers[number - 1];
}

} // namespace postrider::terminal
