#pragma once
// Every bound that is met in several places, once: a setting, a node's parameter, a step's policy and
// a time-out read it from here.
#include <boost/json/object.hpp>

#include <chrono>
#include <string>

namespace postrider::agent::bounds {

template<class T>
struct range {
    T least;
    T most;
    T usual;
};

inline constexpr range<int> history{1, 1000, 20};                    // messages that a model sees
inline constexpr range<int> window{history.least, history.most, 30}; // those of a memory node
inline constexpr range<int> history_slack{0, 500, 0};     // that many more, so that caches hold
inline constexpr range<int> window_slack = history_slack; // of a memory node
inline constexpr range<int> history_tokens{1000, 1'000'000, 32'000}; // of what is sent whole
// Of a group's conversation, before its older half is summarised.
inline constexpr range<int> group_tokens{1000, 1'000'000, 50'000};
inline constexpr range<int> tool_calls{0, 500, 50}; // in one run of an agent
inline constexpr range<int> iterations{1, 50, 10};  // model calls of one run
inline constexpr range<int> repeats{2, 500, 3}; // calls that bring nothing new, one after the other
inline constexpr int most_models = 5;           // nodes of them at an agent, and entries in a node
inline constexpr range<int> answer_tokens{1, 200'000, 4096}; // that a node asks for
inline constexpr range<int> entry_tokens{
    answer_tokens.least, answer_tokens.most, 8192}; // that an entry of the configuration allows
inline constexpr range<int> assistant_tool_calls{tool_calls.least, tool_calls.most, 5};
inline constexpr range<std::chrono::milliseconds> model_timeout{
    std::chrono::seconds{1}, std::chrono::minutes{10}, std::chrono::seconds{60}};

inline constexpr std::chrono::milliseconds question_patience = std::chrono::hours{1}; // of a person
inline constexpr range<std::chrono::milliseconds> approval_timeout{
    std::chrono::seconds{10}, std::chrono::days{7}, std::chrono::minutes{10}};
inline constexpr std::chrono::milliseconds longest_debounce = std::chrono::hours{1};
inline constexpr std::chrono::seconds longest_read{10}; // of the database, by a step
inline constexpr std::size_t calls_side_by_side = 8;    // of one answer, of low risk

// A model's; without a usual one, which is the provider's. A provider may take less.
inline constexpr double least_temperature = 0;
inline constexpr double most_temperature = 2;

// A step that asks a model goes on a little longer than the request, so that what fails is the
// request: then the breaker hears of it.
inline constexpr std::chrono::milliseconds model_step_margin = std::chrono::seconds{10};

// As a setting's constraint: "1..1000", "1s..10min".
std::string to_text(range<int> const& bound);
std::string to_text(range<std::chrono::milliseconds> const& bound);

// Sets "minimum", "maximum" and "default" of a parameter's schema.
void apply(range<int> const& bound, boost::json::value& parameter);
// Sets "default" of a duration's.
void apply_usual(std::chrono::milliseconds usual, boost::json::value& parameter);

} // namespace postrider::agent::bounds
