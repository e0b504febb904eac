#include "server/telegram/simulated_deliveries.hpp"

#include "server/telegram/webhook.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>

namespace postrider::telegram {

namespace {

bool acceptable(std::string_view url) {
    return url.starts_with("https://") || url.starts_with("http://127.0.0.1:") ||
           url.starts_with("http://localhost:") || url.starts_with("http://[::1]:");
}

} // namespace

simulated_deliveries::simulated_deliveries(
    base::asio::any_io_executor executor,
    net::http_client& http,
    base::clock& clock,
    base::random_source& random,
    delivery_rules rules
)
    : executor_(executor),
      http_(http),
      clock_(clock),
      random_(random),
      rules_(std::move(rules)),
      next_(rules_.first_update.value_or(update_id{
          100'000'000 + static_cast<std::int64_t>(base::uniform(random) * 1e8)})),
      connection_free_(executor),
      changed_(executor),
      tasks_(std::move(executor)) {}

bool simulated_deliveries::set_webhook(simulated_webhook webhook) {
    if (!webhook.url.empty() && !acceptable(webhook.url)) return false;
    webhook_ = std::move(webhook);
    changed_.notify();
    for (auto const& [name, waiting] : queues_) work_on(name);
    return true;
}

update_id simulated_deliveries::put(std::string const& into, base::json::object update) {
    auto const id = next_;
    base::json::object body{{"update_id", base::raw(id)}};
    for (auto& member : update) body[member.key()] = std::move(member.value());
    put_raw(into, id, base::json::serialize(body));
    return id;
}

void simulated_deliveries::put_raw(std::string const& into, update_id id, std::string body) {
    next_ = std::max(next_, update_id{base::raw(id) + 1});
    waiting_[id] = {into, std::move(body)};
    queues_[into].ids.push_back(id);
    changed_.notify();
    work_on(into);
}

base::awaitable<simulated_poll> simulated_deliveries::poll(
    std::int64_t offset, std::size_t limit, base::duration wait
) {
    auto const number = ++polls_;
    changed_.notify();
    auto const until = clock_.steady() + wait;
    for (;;) {
        if (!webhook_.url.empty())
            co_return simulated_poll{
                {},
                "can't use getUpdates method while webhook is active; use deleteWebhook to delete "
                "the webhook first"};
        if (polls_ != number)
            co_return simulated_poll{
                {},
                "terminated by other getUpdates request; make sure that only one bot instance is "
                "running"};
        auto updates = fetch(offset, limit);
        auto const now = clock_.steady();
        if (!updates.empty() || now >= until || closing_)
            co_return simulated_poll{std::move(updates), {}};
        co_await changed_.wait_for(until - now);
    }
}

base::awaitable<void> simulated_deliveries::close() {
    closing_ = true;
    changed_.notify();
    tasks_.cancel();
    co_await tasks_.join();
}

void simulated_deliveries::work_on(std::string const& name) {
    auto& q = queues_[name];
    if (q.busy || q.ids.empty() || webhook_.url.empty()) return;
    q.busy = true;
    tasks_.spawn("telegram.simulated_delivery", deliver(name));
}

base::awaitable<void> simulated_deliveries::deliver(std::string name) {
    auto& q = queues_[name];
    for (int failures = 0; !q.ids.empty() && !webhook_.url.empty();) {
        while (in_flight_ >= webhook_.max_connections) co_await connection_free_.wait();
        auto const id = q.ids.front();
        auto answer = co_await post(id);
        if (answer.status >= 200 && answer.status < 300) {
            forget(id);
            failures = 0;
            continue;
        }
        last_error_ = "Wrong response from the webhook: " + std::to_string(answer.status);
        if (auto delay = retry_delay(++failures, answer); delay > base::duration{})
            co_await base::sleep_for(delay);
    }
    q.busy = false;
}

base::awaitable<net::http_answer> simulated_deliveries::post(update_id id) {
    struct counted {
        simulated_deliveries& of;
        explicit counted(simulated_deliveries& deliveries) : of(deliveries) { ++of.in_flight_; }
        ~counted() {
            --of.in_flight_;
            of.connection_free_.notify();
        }
    } connection(*this);
    simulated_delivery delivery{id, 0, {}, clock_.steady(), {}};
    auto const scheme = webhook_.url.find("://") + 3;
    auto const slash = webhook_.url.find('/', scheme);
    net::http_call call;
    call.origin = webhook_.url.substr(0, slash);
    call.target = slash == std::string::npos ? "/" : webhook_.url.substr(slash);
    call.headers.add("Content-Type", "application/json");
    if (!webhook_.secret.empty()) call.headers.add(std::string(secret_header), webhook_.secret);
    call.body = waiting_.at(id).body;
    call.idempotent = true; // the update_id makes it so
    call.first_byte_timeout = rules_.answer_timeout;
    call.total_timeout = rules_.answer_timeout;
    auto answer = co_await http_.send(std::move(call));
    delivery.took = clock_.steady() - delivery.at;
    if (answer) {
        delivery.status = answer->status;
        delivery.body = answer->body;
    }
    rules_.on_delivery(delivery);
    co_return answer ? std::move(*answer) : net::http_answer{};
}

base::duration simulated_deliveries::retry_delay(int failures, net::http_answer const& answer) {
    if (auto asked = net::parse_retry_after(answer.headers.find("Retry-After"), clock_.now()))
        return std::clamp<base::duration>(*asked, base::duration{}, std::chrono::hours{1});
    if (failures == 1) return base::duration{};
    auto const doubled = rules_.retry_step * (std::int64_t{1} << std::min(failures - 2, 20));
    if (doubled < rules_.longest_retry) return doubled;
    return std::chrono::duration_cast<base::duration>(
        rules_.longest_retry * (1 + base::uniform(random_))
    );
}

void simulated_deliveries::forget(update_id id) {
    auto const entry = waiting_.find(id);
    if (entry == waiting_.end()) return;
    std::erase(queues_[entry->second.queue].ids, id);
    waiting_.erase(entry);
    changed_.notify();
}

std::vector<std::string> simulated_deliveries::fetch(std::int64_t offset, std::size_t limit) {
    if (offset > 0)
        while (!waiting_.empty() && base::raw(waiting_.begin()->first) < offset)
            forget(waiting_.begin()->first);
    std::vector<std::string> bodies;
    for (auto const& [id, update] : waiting_) {
        if (bodies.size() == limit) break;
        bodies.push_back(update.body);
    }
    return bodies;
}

} // namespace postrider::telegram
