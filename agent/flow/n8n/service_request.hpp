#pragma once
// What nodes of n8n ask of a service, where one HTTP request does the same: one value in service_requests.cpp for
// each service, resource and operation. The requests are those of the services' own documents of their APIs, as of
// 2026-11.
//
// "<path>" stands for a parameter of the node's, "<path|way>" for it in another form:
//   joined  a list of words as one text, with commas
//   fields  the values of a mapping of columns, without `id`
//   label   of each object of a list its member of that name; so also assignee
// and "<$name>" for a variable of the flow, where n8n has the value in its credential. A member without a value is
// left out.
#include "agent/flow/n8n/mapping.hpp"

#include <span>
#include <string_view>

namespace postrider::agent::flow::n8n {

struct service_request {
    std::string_view operation;
    bool usual = false; // of a node that names no operation of the resource
    std::string_view method = "GET";
    std::string_view url;
    // JSON objects.
    std::string_view query = "{}";
    std::string_view headers = "{}";
    std::string_view body = {};
    std::string_view body_format = {};
    // Parameters that must have this value, and those that must have it or none.
    std::string_view requires_values = "{}";
    std::string_view allows_values = "{}";
    std::string_view needs = {}; // a parameter that must have a value
    // Of the answer, as in an http.request node.
    std::string_view items = {};
    std::string_view pages = {};
    std::string_view next = {};
    std::string_view page_parameter = {};
    renamed_members renamed = {};
    std::string_view remark = {};
};

struct service_resource {
    std::string_view type;
    std::string_view resource;
    // The first that fits counts.
    std::span<service_request const> requests;
};

struct service {
    std::string_view type;
    std::string_view resource;   // of a node that names none
    std::string_view credential; // an entry of the configuration; "" = it needs none
    std::string_view entry = {}; // what kind of an entry, where it is no bearer token
};

std::span<service const> services() noexcept;
std::span<service_resource const> service_resources() noexcept;

} // namespace postrider::agent::flow::n8n
