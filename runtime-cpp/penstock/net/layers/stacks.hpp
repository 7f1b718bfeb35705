#pragma once

#include "penstock/net/layers/checksum.hpp"
#include "penstock/net/layers/delivery.hpp"
#include "penstock/net/layers/ordering.hpp"
#include "penstock/net/layers/sealed.hpp"
#include "penstock/net/layers/slicing.hpp"
#include "penstock/net/layers/stack.hpp"

namespace penstock::net::layers {

/// Messages that may be lost, come twice or in another order, but whole.
template <class Transport>
using Datagrams = Stack<Transport, Checksum, Slicing<>>;
/// Messages that may be lost, and come once, in their order.
template <class Transport>
using Ordered = Stack<Transport, Checksum, Ordering, Slicing<>>;
/// Messages that come once each, in whatever order.
template <class Transport>
using Reliable = Stack<Transport, Checksum, Delivery, Slicing<>>;
/// Messages that come once each, in their order.
template <class Transport>
using ReliableOrdered = Stack<Transport, Checksum, Delivery, Ordering, Slicing<>>;
/// The same, each in one datagram: pieces of a stream.
template <class Transport>
using Stream = Stack<Transport, Checksum, Delivery, Ordering>;
/// The same, between two ends that share keys which nobody else has.
template <class Transport>
using SealedStream = Stack<Transport, Sealed, Delivery, Ordering>;

}  // namespace penstock::net::layers
