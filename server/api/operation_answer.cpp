#include "server/api/operation_answer.hpp"

#include "server/api/problem.hpp"

namespace postrider::api {

boost::json::object to_json(queue::operation_result const& what) {
    return {{"code", what.code}, {"detail", what.detail}};
}

net::http_response refused(queue::operation_result const& why) {
    if (why.code == "invalid") return invalid({why.detail});
    return net::http_response::problem(why.code == "not_found" ? 404 : 409, why.code, why.detail);
}

int status_of(queue::operation_result const& done, bool fresh) {
    if (fresh) return 201;
    return done.code == "asked" ? 202 : 200;
}

} // namespace postrider::api
