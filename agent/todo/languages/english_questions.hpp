#pragma once
// What people ask of their list in English, as forms. Private to english_forms.hpp.
#include "agent/todo/language.hpp"

#include <array>

namespace postrider::agent::todo {

inline constexpr auto english_questions = [] {
    using enum intent::kind;
    return std::array{
        // Get
        form{
            get,
            "(show|view|open|display|see|read) [me] [the] [details of|details for|details "
            "on|details "
            "about] "
            "<task>"},
        form{
            get,
            "(show|give|tell|get|read) [me] [the|all|all the|more|some] "
            "(details|detail|info|information) "
            "(of|for|on|about) <task>"},
        form{
            get,
            "(show|view|open|display|see|get|read) [me] [the|my] (task|todo|item|number) <task>"},
        // To check something off is another thing.
        form{get, "check [on|up on] <task>"},
        // What the person is going to do, or asks for, is not done yet.
        form{
            get,
            "(i need to|i have to|i must|i should|i want to|i'd like to|i would like to|i "
            "wanna|can i|"
            "could i|may i|can we|could we) (finish|complete|close|resolve) <task>"},
        form{
            get,
            "<task> (should|must|has to|needs to|ought to|will|is going to|is supposed to) be "
            "(done|finished|complete|completed|closed|ready)"},
        form{get, "[the|more] (details|detail|info|information) (of|for|on|about) <task>"},
        form{get, "tell me [more|everything] about <task>"},
        form{get, "(what is|what's|whats|what was) [task|todo|item|number|no] <task>"},
        form{get, "(what is|what's) (task|todo|item|number) <task> [about]"},
        form{get, "(what is|what's) the (status|state) of <task>"},
        form{get, "when is <task> due"},
        form{get, "(task|todo|item) <task> (details|info)"},
        form{get, "is <task> (done|finished|complete|completed)"},
        form{get, "have i (done|finished|completed) <task>"},
        form{get, "did i (do|finish|complete) <task>"},

        // List
        form{
            list,
            "(list|show|view|see|display|read|give|print|get) [me] [all|all of] [of] [my|the|our] "
            "[current|todo|to do] "
            "(tasks|todos|to dos|todo|list|items|things|everything|all|task list|todo "
            "list|reminders|"
            "to do list)"},
        form{
            list,
            "(list|show|sort|order) [me] [all] [my|the] (tasks|todos|to dos|list|items|them) "
            "[sorted|"
            "ordered] by (date|due date|priority|title|name|number|age)"},
        form{
            list,
            "(list|show|view|read|display|see) [me] (all|everything|it all|them all|what i have)"},
        form{list, "list"},
        form{list, "[my|the|all|all my] (tasks|todos|to dos|list|task list|todo list|to do list)"},
        form{
            list,
            "(what is|what's|whats|what) [is] [all] [currently] (on|in) [my|the|our] [todo|to "
            "do|task|tasks] "
            "(list|agenda|plate|tasks)"},
        form{list, "show [me] what's (on|in) [my|the] [todo|to do|task] list"},
        form{list, "tell me what's (on|in) [my|the] [todo|to do|task] list"},
        form{list, "what (are|were) [all] (my|the) [current|open] (tasks|todos|to dos|items)"},
        form{
            list,
            "what (do|should) i [still] (have|need|got) [left] [to do|to get done|on my list|to "
            "finish]"},
        form{list, "what (have i got|i have) [to do]"},
        form{
            list,
            "what [all] (tasks|todos|to dos|items) (do i have|have i got|are there|are on my "
            "list)"},
        form{list, "(what do|what) i have to do"},
        form{list, "what should i do"},
        form{list, "what's next"},
        form{list, "do i have (anything|any tasks|any todos|something) [to do|on my list|left]"},
        form{list, "(is there anything|anything) [left] (to do|on my list)"},
        form{
            list,
            "(go over|go through|pull up|bring up|open|check) [my|the] [todo|to do|task] "
            "(list|tasks|todos)"},
        form{
            list,
            "how many (tasks|todos|items|things) (do i have|are there|are left|have i got) "
            "[left|to "
            "do|on my list]"},
        form{
            list,
            "(what is|what's|what) [is] [still] (left|open|pending|outstanding|undone|remaining|to "
            "do) "
            "[to do]",
            list_filter::open},
        form{
            list,
            "what [is|is still] (left to do|not done|not done yet|unfinished)",
            list_filter::open},
        form{
            list,
            "(show|list|view) [me] [all|only] [of] [my|the] "
            "(open|pending|unfinished|incomplete|outstanding|undone|active|"
            "remaining|unfinished) (tasks|todos|items|ones|things)",
            list_filter::open},
        form{
            list,
            "(what do i|what do i still) (have to do|need to do|have left)",
            list_filter::open},
        form{list, "[my] (open|pending|unfinished) (tasks|todos|items)", list_filter::open},
        form{
            list,
            "(show|list|view) [me] [all|only] [of] [my|the] "
            "(done|completed|finished|complete|closed) "
            "[tasks|todos|items|ones|things]",
            list_filter::completed},
        // To put them away is nothing that can be done here; it completes nothing either.
        form{
            list,
            "(clear|archive|hide|sort|count|print|export|move|save|filter|review|purge|empty|keep|"
            "collapse|group|check|mark|delete|remove) [all|all the|the|my|out] "
            "(done|completed|finished|closed)",
            list_filter::completed},
        form{
            list,
            "(clear|archive|hide|sort|count|print|export|move|save|filter|review|purge|empty|keep|"
            "collapse|group|delete|remove) [all|all the|the|my|out] "
            "(done|completed|finished|closed) "
            "(tasks|todos|items|ones|things)",
            list_filter::completed},
        form{
            list,
            "what (have i|did i) [already] (done|do|finished|finish|completed|complete|got done)",
            list_filter::completed},
        form{
            list,
            "(what is|what's|which tasks are|what tasks are) [already] (done|finished|completed)",
            list_filter::completed},
        form{
            list,
            "(show|list|what's|what is|view|what tasks are|which tasks are|anything|is anything) "
            "[me] "
            "[all|only] [my|the] "
            "(overdue|late|past due) [tasks|todos|items]",
            list_filter::overdue},
        form{
            list,
            "(what is|what's|show|list|what tasks are|which tasks are|anything) [me] [my|the] "
            "[tasks|todos] [that are] [due|for|on|up] [for] today",
            list_filter::today},
        form{
            list,
            "what (do|should) i (have|need) [to do|to get done|on my list|due] [for] today",
            list_filter::today},
        form{
            list,
            "(what is|what's|show|list|what tasks are|which tasks are|anything) [me] [my|the] "
            "[tasks|todos] [that are] [due|for|on|up] [for] tomorrow",
            list_filter::tomorrow},
        form{
            list,
            "what (do|should) i (have|need) [to do|to get done|on my list|due] [for] tomorrow",
            list_filter::tomorrow},
        form{
            list,
            "(what is|what's|show|list|what tasks are|which tasks are|anything) [me] [my|the] "
            "[tasks|todos] [that are] [due|for|on|up] [for] this week",
            list_filter::this_week},
        form{
            list,
            "what (do|should) i (have|need) [to do|to get done|on my list|due] [for] this week",
            list_filter::this_week},
        form{
            list,
            "(show|list|what are) [me] [all|only] [my|the] (urgent|important|high priority|top "
            "priority) [tasks|todos|items]",
            list_filter::high},
        form{
            list,
            "(what|which) (are|tasks are|todos are|items are) [my|the] (urgent|important|high "
            "priority|top priority|most important|top priorities|priorities) [tasks|todos|items]",
            list_filter::high},
        form{
            list,
            "[my|the|all] (tasks|todos|items) [that are] [due] [for|on] today",
            list_filter::today},
        form{
            list,
            "[my|the|all] (tasks|todos|items) [that are] [due] [for|on] tomorrow",
            list_filter::tomorrow},
        form{
            list,
            "[my|the|all] (tasks|todos|items) [that are] [due] [for|in] this week",
            list_filter::this_week},
        form{list, "(search|look) [my list|my tasks|the list|in my list] for <search>"},
        form{
            list,
            "(find|search) [me] [my|the|all] [tasks|todos|items] "
            "[about|with|containing|mentioning|for] <search>"},
        form{
            list,
            "(show|list) [me] [my|the|all|all my] (tasks|todos|items|everything) "
            "(about|with|containing|mentioning|matching|that mention) <search>"},
        form{
            list,
            "do i have (a task|a todo|anything|something|any tasks) (about|for|with|to do with|on "
            "my "
            "list about) <search>"},
        form{
            list,
            "(is there|are there) (anything|something|a task|any tasks) (about|with|on my list "
            "about) "
            "<search>"},
        form{list, "is <search> (on|in) [my|the] [todo|to do] list"},

        form{list, "let me see [all] [my|the] (list|tasks|todos|todo list|to do list)"},
        form{list, "what have i got [on my list|to do]"},
        form{
            list,
            "(show|list|give) [me] (both open and completed|all open and completed|open and "
            "completed) [tasks|todos]"},
        form{
            list,
            "(which|what) (tasks|todos|items|ones) are [still] (open|pending|left|unfinished|not "
            "done)",
            list_filter::open},
        form{list, "show [me] what's [still] (left|open|pending) [to do]", list_filter::open},
        form{
            list,
            "(show|list|what are) [me] [my|the] (today's|todays) (tasks|todos|items)",
            list_filter::today},
        form{
            list,
            "(show|list|what are) [me] [my|the] (tomorrow's|tomorrows) (tasks|todos|items)",
            list_filter::tomorrow},
        form{
            list,
            "(search|find|look) [in|through] [my|the] (open|pending) (tasks|todos|items) "
            "[for|about|with] <search>",
            list_filter::open},
        form{
            list,
            "(search|find|look) [in|through] [my|the] (completed|finished|done) "
            "(tasks|todos|items) [for|about|with] <search>",
            list_filter::completed},
    };
}();

} // namespace postrider::agent::todo
