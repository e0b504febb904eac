#include "agent/todo/languages/english_forms.hpp"

namespace postrider::agent::todo {

namespace {

using entry = time_words::entry;

constexpr std::array english_numbers{
    entry{"zero", 0},         entry{"one|a|an", 1},     entry{"two", 2},
    entry{"three", 3},        entry{"four", 4},         entry{"five", 5},
    entry{"six", 6},          entry{"seven", 7},        entry{"eight", 8},
    entry{"nine", 9},         entry{"ten", 10},         entry{"eleven", 11},
    entry{"twelve", 12},      entry{"thirteen", 13},    entry{"fourteen", 14},
    entry{"fifteen", 15},     entry{"sixteen", 16},     entry{"seventeen", 17},
    entry{"eighteen", 18},    entry{"nineteen", 19},    entry{"twenty", 20},
    entry{"twenty one", 21},  entry{"twenty two", 22},  entry{"twenty three", 23},
    entry{"twenty four", 24}, entry{"twenty five", 25}, entry{"thirty", 30},
    entry{"forty five", 45},
};

constexpr std::array english_ordinals{
    entry{"first|1st|top|topmost", 1},
    entry{"second|2nd", 2},
    entry{"third|3rd", 3},
    entry{"fourth|4th", 4},
    entry{"fifth|5th", 5},
    entry{"sixth|6th", 6},
    entry{"seventh|7th", 7},
    entry{"eighth|8th", 8},
    entry{"ninth|9th", 9},
    entry{"tenth|10th", 10},
    entry{"eleventh|11th", 11},
    entry{"twelfth|12th", 12},
    entry{"last|final|bottom|very last", -1},
    entry{"second to last|next to last|second last|penultimate", -2},
};

constexpr std::array english_priorities{
    entry{
        "high priority|with high priority|as high priority|at high priority|priority high|prio "
        "high|high prio|urgent|urgently|"
        "asap|top priority|very important|p1|highest priority|as urgent|with priority high",
        2},
    entry{
        "normal priority|medium priority|priority normal|priority medium|with normal priority|with "
        "medium priority|p2",
        1},
    entry{
        "low priority|with low priority|as low priority|priority low|prio low|low prio|not "
        "urgent|p3|with priority low",
        0},
};

constexpr std::array english_days{
    entry{"yesterday", -1},
    entry{"today|this day", 0},
    entry{"tomorrow|tmrw|tomorow|tommorow|tommorrow|tomorrw|tomorro|tmr|2moro", 1},
    entry{"the day after tomorrow|day after tomorrow|overmorrow", 2},
};

constexpr std::array english_parts{
    entry{"morning|in the morning|this morning", 9 * 60},
    entry{
        "noon|midday|lunchtime|at lunch|by lunch|before lunch|until lunch", 12 * 60 + stands_alone},
    entry{"midnight", 24 * 60 + stands_alone},
    entry{"afternoon|in the afternoon", 15 * 60},
    entry{"this afternoon", 15 * 60 + is_of_today},
    entry{"evening|in the evening", 18 * 60},
    entry{"this evening", 18 * 60 + is_of_today},
    entry{"night|at night", 21 * 60},
    entry{"tonight|tonite", 20 * 60 + is_of_today},
    entry{"end of day|end of the day|eod", 17 * 60 + is_of_today},
};

constexpr std::array english_clock{
    entry{"half past", 30},
    entry{"quarter past|a quarter past|quarter after|a quarter after", 15},
    entry{"quarter to|a quarter to|quarter till", -15},
};

constexpr std::array english_units{
    entry{"minute|minutes|min|mins", 1},
    entry{"hour|hours|hr|hrs|h", 60},
    entry{"day|days", 1440},
    entry{"week|weeks", 7 * 1440},
    entry{"month|months", -1},
    entry{"year|years", -12},
};

} // namespace

extern constinit language const english{
    .code = "en",
    .forms = english_forms,
    .openings = "umm|hmm|erm|actually|please|pls|plz|kindly|hey|hi|hello|ok|okay|so|also|now|then|"
                "just|well|alright|"
                "right|bot|hey bot|"
                "let's|lets|go ahead and|i want to|i'd like to|i would like to|i wanna|i need to|"
                "i want you to|i'd like you to|i would like you to|i need you to|you can|you "
                "may|next|first|finally|oh|great|"
                "be so kind and|would you be so kind and|after that|good morning|good "
                "evening|sorry|yo|um|uh|actually please|ah",
    .corrections = "no|nope|nah|no no|not that",
    .requests = "would you be so kind as to|would you be so kind and|can you|could you|would "
                "you|will you|can i|could i|may i|can we|could we|can "
                "u|could u|would u|"
                "can you please|could you please|would you please|would you mind|"
                "do you mind|could you kindly|could you just|can you just|would you kindly|"
                "is it possible to|mind if i|can i get you to|could you possibly|won't you",
    .closings = "and that's it|that's it|and that's all|that's all|and nothing else|nothing "
                "else|instead|please|pls|plz|thank you please|for me please|if you please|"
                "would you|will you|could you",
    .afterthoughts = "i just did it|i just did|just did it|i just did that|thanks|thank "
                     "you|thx|ty|cheers|for me|now|ok|okay|will you|would you|bot|thanks a lot|"
                     "thank you very much|thank you so much|many thanks|right "
                     "now|buddy|mate|dear|🙏|👍|🙂|😊",
    .confirmations =
        "and don't ask|and don't ask me|yes|yes please|i'm sure|i am sure|im sure|yes i'm sure|yes "
        "i am sure|yes im sure|i "
        "confirm|"
        "confirmed|yes confirmed|i already confirm|yes i confirm|no need to ask|no need to confirm|"
        "don't ask|do not ask|don't ask me|without asking|without confirmation|no confirmation "
        "needed|"
        "yes do it|do it|yes really|and yes i'm sure|and i'm sure|and yes|i'm certain|i am certain|"
        "i'm absolutely sure|i'm really sure|i am absolutely sure|don't ask again|definitely|"
        "yes definitely|yep|no questions asked|i am positive|i'm positive|yes go ahead|go "
        "ahead|sure",
    .conjunctions = "and|then|and then|and also|also|plus|after that|and after that|as well "
                    "as|&|and please|and finally|next",
    .neighbours =
        "lose|loses|loose|finnish|ticks|tricks|clone|chose|those|nose|hose|pose|tack|tuck|lick|"
        "kick|click|come|some|home|deleted|deletes|deleting|removed|removes|removing|renamed|"
        "renames|renaming|adding|added|"
        "adds|created|creates|creating|finishes|finishing|completes|completing|lost|shows|showed|"
        "shown|marked|marking|marks|compete|polish|furnish|mask|make|lease|close|closed|closing|"
        "clear|clean|"
        "check|checks|checked|checking|chuck|cheek|wash|post|pole|drops|dropped|cross|crossed|"
        "crossing|"
        "opened|opening|closes|changed|changes|changing|chance|edited|updates|updated|erased|"
        "write|wrote|white|wipe|with|wish|book|look|cook|fish|fine|mind|kind|send|spend|need|feed|"
        "read|"
        "call|tell|sell|bill|will|buy|pay|pick|pack|talk|walk|take|bake|cake|milk|mail|email|meet|"
        "work|ward|"
        "shop|ship|test|text|next|rest|best|list|last|past|fast|stop|step|shoe|should|would|could|"
        "never|not|dont|cannot|cant|wont|shouldnt|wouldnt|isnt|wasnt|didnt|were|been|being|doing|"
        "does|"
        "maybe|perhaps|think|thing|thought|wonder|wondering|suppose|imagine|almost|nearly|"
        "before|after|until|since|while|because|"
        "rewind|remote|renew|reminds|reminded|reminding|reminder|remade|removal|deletion|"
        "task|tasks|title|file|files|note|notes|noted|done|gone|none|dine|bone|tone|money|tick|"
        "trick|stick|sick|"
        "love|moved|moves|moving|movie|mode|mouse|dove|relay|delayed|delays|decay|deter|refer|"
        "postponed|"
        "rescheduled|rescheduling|rate|late|gate|data|dates|hate|sigh|thigh|nigh|law|slow|tow|"
        "deadlines|prioritized|lover|lowers|flower|tower|power|rise|race|rage|flags|flat|flap|"
        "witch|stitch|markt|importance|import|imported|agent|normally",
    .doubts = "leave it|joking|or|ask me first|don't|dont|do "
              "not|not|never|no|if|unless|when|whether|should|shouldn't|would|wouldn't|could "
              "have|maybe|perhaps|might|suppose|supposing|imagine|hypothetically|wait|stop|cancel "
              "that|said|says|told|wrote|asked|instead|until|once|after|before|because|pretend|"
              "example|almost|nearly|hold "
              "on|isn't|wasn't|didn't|haven't|hasn't|won't|can't|cannot|wish|wondering|thinking",
    .past = "yesterday|last week|last month|last year|last night|ago|earlier|used "
            "to|previously|the other day|last time|"
            "last monday|last tuesday|last wednesday|last thursday|last friday|last saturday|last "
            "sunday|tomorrow|"
            "next week|by tomorrow|tonight|later|soon",
    .negations = "don't|dont|do not|never|not",
    .contrasts = "but|but please|however",
    .concessions = "i know|yes i know|yeah i know|yes yes i know|yep i know",
    .provisos =
        "if it is not|if it's not|if it isn't|if they're not|if they are not|if it is not "
        "already|if it's not already|unless it is|unless it's|unless it's already|if it is not "
        "there yet|if it is not there already|if they're not there|if they're not there yet|if not "
        "there|if it's not there|if it is not there|if it isn't there|if not there "
        "yet|if it's not there yet|if it isn't there yet|if not there already|if it's not "
        "there already|if it isn't there already|if it's not already there|if it isn't "
        "already there|if not already there|unless it's there|unless it is there|unless "
        "it's already there|unless it's there already|if it's not on the list|if it isn't "
        "on the list|if it's not on my list|if it isn't on my list|if it's not already on "
        "the list|if it's not already on my list|if it's not on the list yet|if it's not "
        "on my list yet|if not on the list|if not on my list|if it's not in there",
    .retractions =
        "i mean|i meant|make that|only joking|my mistake|my bad|ignore that|strike that|or "
        "rather|i take that back|take that back|oops|whoops|wrong one|only if|but not|but no|no "
        "wait|wait no|never mind|nevermind|nvm|just kidding|kidding|scratch that|forget it|"
        "forget that|actually no|actually don't|on second thought|on second thoughts|not really|"
        "no sorry|sorry no|sorry|no no|changed my mind|or not|or maybe not|don't do "
        "it|jk|lol no|actually not|no don't",
    .numbers = english_numbers,
    .ordinals = english_ordinals,
    .number_marks = "number|no|nr|num|id|with id|with the id|with number|the number",
    .pronouns = "its|it's|that's|it|that|this|that one|this one|the same|that task|this task|the "
                "same one|that "
                "thing|this thing|"
                "that todo|that item",
    .everything =
        "all|everything|all tasks|all my tasks|all of them|them all|tasks|my tasks|all the tasks|"
        "every task|all todos|todos|items|all items|them|both|my list|the list|the whole list|"
        "my whole list|the entire list|these|those|all of it|all my "
        "todos|something|anything|stuff|things",
    .exceptions =
        "except|except for|excepting|but not|but|apart from|other than|excluding|besides|without",
    .ranges = "to|through|thru",
    .articles = "the|my|a|an|this|that|our",
    .nouns =
        "task|todo|to do|item|one|entry|reminder|on the list|on my list|from the list|from my list|"
        "off the list|off my list|in the list|in my list|tasks|todos|items|called|named|titled|of "
        "the list|"
        "task called|task named|task titled|from my todo list|from my to do "
        "list|already|now|thing|about",
    .plurals = "tasks|todos|to dos|items|reminders|entries|of them|of my tasks",
    .no_titles =
        "to|that|up|on|in|it|this|about|of|for|and|or|but|from|with|them|these|those|something|"
        "anything|everything|nothing|what|how|why|when|where|who|which|is|are|was|do|does|off|make "
        "sure|make sense|"
        "not|never|no more|no other|none|me",
    .priorities = english_priorities,
    .times =
        {
            .weekdays =
                {"monday|mon|mondya",
                 "tuesday|tue|tues|teusday|tuseday",
                 "wednesday|wed|weds|wensday|wednsday|wendesday",
                 "thursday|thu|thurs|thur|thrusday|thurday",
                 "friday|fri|firday|fridya",
                 "saturday|saterday|satuday|the weekend|this weekend",
                 "sunday"},
            .months =
                {"january|jan",
                 "february|feb",
                 "march|mar",
                 "april|apr",
                 "may",
                 "june|jun",
                 "july|jul",
                 "august|aug",
                 "september|sep|sept",
                 "october|oct",
                 "november|nov",
                 "december|dec"},
            .days = english_days,
            .parts = english_parts,
            .units = english_units,
            .seconds = "second|seconds|sec|secs",
            .next = "next|coming|this|this coming",
            .within = "in|within|from now",
            .at = "at|at about|around|at around",
            .on = "on|by|due|due on|due by|until|for|before|due at|due date|deadline|till",
            .inside = "the|of",
            .numbered =
                "version|versions|release|v|chapter|verse|psalm|psalms|room|gate|flight|platform|"
                "page|pages|python|build|model|ratio|section|step|question|bug|issue|ticket|number|"
                "no|bus|line|route|level|floor|unit|size|score|episode|season|lesson|part|channel|"
                "seat|row|shelf|apartment|suite|line|track|volume",
            .topics = "since|about|last|past|regarding|of|from last|of last|since last",
            .turns =
                "after|from|between|to|or|every other|early|late|mid|beginning of|end of|start "
                "of|the end of|the beginning of|ahead of|earlier than|later than|except|not",
            .behind = "",
            .hours = "o'clock|oclock|hours|sharp",
            .before_noon = "am|a m",
            .after_noon = "pm|p m",
            .half = "half an|half a|a half",
            .clock_before = english_clock,
            .recurring =
                "every|each|evry|evrey|everyday|daily|weekly|monthly|yearly|annually|mondays|"
                "tuesdays|wednesdays|thursdays|"
                "fridays|saturdays|sundays|weekdays",
            .twelve_hours = true,
            .months_may_lead = true,
        },
    .titles_begin_with_verb = true,
};

} // namespace postrider::agent::todo
