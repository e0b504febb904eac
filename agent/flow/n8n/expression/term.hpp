#pragma once
// A part of an expression of ours, while it is made of one of n8n's.
#include <span>
#include <string>
#include <string_view>

namespace postrider::agent::flow::n8n {

// What is known of a value before there is one.
enum class shape {
    unknown,
    boolean,
    number,
    text,
    list,
    object,
    instant,  // of Luxon or of Date: an instant of ours
    duration, // of Luxon: a number of seconds
    pattern,  // a regular expression; `text` is its literal of ours, `flags` are its own
    item,     // of n8n: {"json": …}; an item of ours is that object itself
    items,
    files, // $binary, by name: an item of ours has one, `file`
    node,  // $("Name"), or $input: its items
    type,  // Date, Math, JSON: what only its members say something of
};

// How tight the last operator binds, so that parentheses stand where they must.
enum class binding { choice, either, both, relation, sum, product, sign, primary };

// A member of a node's items that is called otherwise here: "message.chat.id" is "chat", and one within another is
// "file.id". "*" stands for all that are not named: they are within that member. "message.*" stands for what is
// within it and not named. Where `to` is empty, items here have no such member, and it is null. "json:text" is a text that is read as JSON where
// something within it is asked for.
struct renamed_member {
    std::string_view from;
    std::string_view to;
};
using renamed_members = std::span<renamed_member const>;

struct term {
    std::string text = {};
    n8n::shape shape = n8n::shape::unknown;
    n8n::binding binding = n8n::binding::primary;
    bool optional = false;        // a member of it may be missing, as it may of this
    bool simple = false;          // a path or a literal: may stand twice
    renamed_members renamed = {}; // of an item, and of what has items
    std::string zone = {};        // of an instant: a literal of ours, "" = UTC
    std::string flags = {};       // of a pattern
    bool constant = false;        // a literal; of a text and a number `value` is its value
    std::string value = {};

    bool is(n8n::shape other) const { return shape == other; }
};

} // namespace postrider::agent::flow::n8n
