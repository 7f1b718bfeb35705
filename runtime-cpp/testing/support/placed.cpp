#include "support/placed.hpp"

namespace penstock::testing::placed {

const char* const samples = PENSTOCK_SAMPLES;
const char* const docs = PENSTOCK_DOCS;
const char* const hello = PENSTOCK_SAMPLE_HELLO;
const char* const ads = PENSTOCK_SAMPLE_ADS;
const char* const neighbours = PENSTOCK_NEIGHBOURS;
const char* const stubborn = PENSTOCK_STUBBORN;
const char* const wrong_thread = PENSTOCK_WRONG_THREAD;

}  // namespace penstock::testing::placed
