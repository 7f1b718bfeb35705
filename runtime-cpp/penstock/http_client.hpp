#pragma once

/// Public: HTTP/1.1 requests that a coroutine awaits, without blocking its worker.

#include "penstock/http_client/client.hpp"
#include "penstock/http_client/twirp.hpp"
#include "penstock/http_client/url.hpp"
#include "penstock/http_client/url_value.hpp"
