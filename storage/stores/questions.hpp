#pragma once
// Questions that are asked with buttons, and presses of these.
//
// A press is an event "press" for the job that asked, with the question's id as its match. It counts
// while the job waits, in the place where the question was asked, by whom it was asked, once.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::storage {

inline constexpr std::string_view press_event = "press"; // as sql/functions/questions.sql has it

struct question_row {
    std::string id; // nanoid
    job_id job{};
    std::string place;
    std::string effect = {};     // its key: the message that has the buttons; "" = none is sent
    std::optional<user_id> only; // who may answer beside owners; none = whoever is listened to
    std::chrono::milliseconds open_for{};
    boost::json::array people =
        {}; // numbers of those who alone may answer, in any place; empty = by `only`
    boost::json::array choices = {}; // what its buttons say behind its id, with the mark
    boost::json::array words = {};   // folded, that a message answers it with
};

// Opens it; one that is open already stays as it is. Some that nobody waits for any more go.
write open_question(question_row const& row);
// Its time, and that of the approvals that it is about, begins now. Order 61; returns no row.
write begin_question(std::string_view id, std::chrono::milliseconds open_for);
// Presses no longer answer it.
write close_question(std::string_view id);
// Of a job that is over: its open questions end, and a job beside it takes their buttons away. Order 76,
// behind what the same commit says of the job's effects; its row says nothing.
write withdraw_questions(lane_id lane, job_id job);

enum class press_outcome {
    taken,
    not_open,  // answered, over, unknown, or of another place
    not_yours, // it waits for somebody else
};

struct press_row {
    std::string question;
    std::string place;
    user_id user{};
    bool is_owner = false;
    bool closes = true; // false: the question stays open for other presses
    boost::json::value payload;
};

// Its unit gets one row (i, outcome). It locks the job's lane: its unit is apart.
write press_button(press_row const& row);
press_outcome read_press(row const& returned);
// The same in a transaction of its own; throws as transaction::query() does.
press_outcome press_button(transaction& tx, press_row const& row);

} // namespace postrider::storage
