#include "server/telegram/pending_updates.hpp"

#include <algorithm>

namespace postrider::telegram {

bool pending_updates::add(update_id update) {
    if (update < confirmed_) clear();
    if (open_.contains(update) || stored_.contains(update)) return false;
    open_.insert(update);
    next_ = std::max(next_, update_id{base::raw(update) + 1});
    return true;
}

void pending_updates::stored(update_id update) {
    if (open_.erase(update) > 0) stored_.insert(update);
}

void pending_updates::confirmed(update_id offset) {
    confirmed_ = offset;
    stored_.erase(stored_.begin(), stored_.lower_bound(offset));
}

void pending_updates::clear() {
    open_.clear();
    stored_.clear();
    next_ = update_id{0};
    confirmed_ = update_id{0};
}

update_id pending_updates::offset() const {
    return open_.empty() ? next_ : *open_.begin();
}

} // namespace postrider::telegram
