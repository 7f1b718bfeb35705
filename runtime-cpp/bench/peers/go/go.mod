module penstock/bench/peers

go 1.21
