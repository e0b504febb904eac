#pragma once
// Holds a job function to its record: within a scope, a run asks for the recorded steps before it
// may do anything new. A step that differs would otherwise run again, silently. One that was only
// tried may be left: what the next try is for may have changed, and nothing was done that a run
// must come back to.
#include <map>
#include <set>
#include <string>
#include <vector>

namespace postrider::queue {

// Prefix of the steps that undo others; they come after everything else, in an order of their own.
inline constexpr std::string_view undo_prefix = "undo:";

// The key of the n-th step of that name: "name", "name#2".
std::string numbered(std::string const& name, int n);

// Thrown through a job function; the diff names steps only.
struct record_mismatch {
    std::string diff;
};

class order_check {
public:
    // `tried` are those of the recorded ones that may be left.
    explicit order_check(
        std::vector<std::string> recorded, std::set<std::string> const& tried = {}
    );

    // The function asks for this step. Throws record_mismatch when the step is new although
    // recorded ones were not asked for.
    void ask(std::string const& key);
    // The function asks for these now, in whatever order: they are branches beside each other.
    void ask_together(std::vector<std::string> const& keys);
    // Skips the steps whose keys begin so and that were not asked for. "", or a scope with a '/'
    // behind it.
    void skip_unasked(std::string_view prefix);
    // The function is at its end. Throws likewise.
    void end() const;

private:
    // What stands before the last '/' of a key; "" for most.
    struct scope {
        std::vector<std::string> recorded;
        std::set<std::string> left; // to be asked for yet
        std::vector<std::string> asked;

        std::string diff(std::string const& instead) const;
    };

    std::map<std::string, scope, std::less<>> scopes_;
};

} // namespace postrider::queue
