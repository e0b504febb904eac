#pragma once
// Reads the members of one object of a definition and lists whatever is wrong with them, with its
// path; reading goes on behind every mistake. What it is not asked for stays unlooked at. For
// read_definition's parts.
#include "agent/flow/document/problem.hpp"

#include <boost/json/value.hpp>

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace postrider::agent::flow {

enum class presence { optional, required };

// What a text of the format looks like.
struct text_rule {
    std::size_t most = 0;                          // characters; 0 = any number
    bool (*fits)(std::string_view text) = nullptr; // null = whatever it is
    std::string_view description = {};             // the same in words, for people
};
inline constexpr text_rule prose{};
bool one_line(std::string_view text) noexcept;                // not empty, no control character
bool made_of_word_characters(std::string_view text) noexcept; // not empty, A-Z a-z 0-9 _ -

class form {
public:
    // `node`: the name of the node that it belongs to, for problems.
    form(
        boost::json::object const& object,
        std::string path,
        std::string node,
        problem_list& problems
    )
        : from_(object),
          path_(std::move(path)),
          node_(std::move(node)),
          problems_(problems) {}

    std::optional<std::string> text(std::string_view key, text_rule rule, presence demand = {});
    // What stands there, fit or not; "" where it is no text. Complains of nothing.
    std::string as_it_stands(std::string_view key) const;
    std::optional<std::int64_t> integer(
        std::string_view key, std::int64_t least, std::int64_t most, presence demand = {}
    );
    std::optional<double> number(std::string_view key, presence demand = {});
    std::optional<bool> boolean(std::string_view key);
    // "10min", at most so long.
    std::optional<std::chrono::milliseconds> span(
        std::string_view key, std::chrono::milliseconds most
    );
    // One of the words.
    std::optional<std::string> word(std::string_view key, std::span<std::string_view const> words);
    boost::json::object const* object(std::string_view key);
    boost::json::array const* array(std::string_view key, presence demand = {});

    // The member is not what it should be; key "" = the object itself.
    void complain(
        std::string_view key, std::string_view code, std::string message, std::string hint = {}
    );

private:
    boost::json::value const* find(std::string_view key, presence demand);
    void mistyped(std::string_view key, std::string_view requirement);

    boost::json::object const& from_;
    std::string path_;
    std::string node_;
    problem_list& problems_;
};

} // namespace postrider::agent::flow
