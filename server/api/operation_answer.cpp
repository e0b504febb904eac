#include "server/api/operation_answer.hpp"

#include "server/api/problem.hpp"

namespace postrider::api {

boost::json::object to_json(queue::operation_result const& result) {
    return {{"code", result.code}, {"detail", result.detail}};
}

net::http_response refused(queue::operation_result const& result) {
    if (result.code == "invalid") return invalid({result.detail});
    return net::http_response::problem(
        result.code == "not_found" ? 404 : 409, result.code, result.detail
    );
}

int status_of(queue::operation_result const& done, bool fresh) {
    if (fresh) return 201;
    return done.code == "asked" ? 202 : 200;
}

} // namespace postrider::api
