#pragma once
// How far RE2 may look beyond a match that it finds.
#include <string_view>

namespace postrider::agent::expressions {

// False: going through all matches of a text looks at each of its bytes a bounded number of times. In
// a pattern that is a plain sequence, what a match had to end with is wanted again by the next one, so
// bytes that were looked at in vain are not looked at by each match anew. True: an alternative or a
// repeated group with a repetition in the pattern may look at the rest of the text at every match
// ("a(.*b)?" in "aaaa"). Says true rather than be wrong. The pattern is one that RE2 has compiled.
bool may_look_far(std::string_view pattern);

} // namespace postrider::agent::expressions
