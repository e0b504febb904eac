#pragma once
// Holds a job function to its record: a run asks for the recorded steps in the recorded order
// before it may do anything new. What differs would otherwise run again, silently.
#include <set>
#include <string>
#include <vector>

namespace postrider::queue {

// Prefix of the steps that undo others; they come after everything else, in an order of their own.
inline constexpr std::string_view undo_prefix = "undo:";

// Thrown through a job function; the diff names steps only.
struct record_mismatch {
    std::string diff;
};

class replay {
public:
    explicit replay(std::vector<std::string> recorded);

    // The function asks for this step. Throws record_mismatch when the step is new although
    // recorded ones were not asked for.
    void ask(std::string const& key);
    // The function is at its end. Throws likewise.
    void end() const;

private:
    std::string diff(std::string const& instead) const;

    std::vector<std::string> recorded_;
    std::set<std::string> left_; // recorded, not asked for yet
    std::vector<std::string> asked_;
};

} // namespace postrider::queue
