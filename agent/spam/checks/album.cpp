// A part of an album goes with the part that has the words.
#include "agent/spam/check.hpp"

namespace postrider::agent::spam {

namespace {

finding look_for_caught_album(check_input const& input) {
    if (!input.recent.is_album_caught) return {};
    return {1, "another part of its album is spam"};
}

} // namespace

namespace registered {

extern check const album{
    .name = "album",
    .looks_for = "Parts of an album that has spam in another part.",
    .on = true,
    .weight = 100,
    .look = look_for_caught_album,
    .of_all_members = true};

} // namespace registered

} // namespace postrider::agent::spam
