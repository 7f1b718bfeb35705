// Where programs and files of the tests lie. The paths are in one small object, so that in another
// clone no other one differs, and a compiler cache has the rest.
#pragma once

namespace penstock::testing::placed {

extern const char* const samples;  // the folder of the samples' sources
extern const char* const docs;     // the folder of the pages
extern const char* const hello;    // programs
extern const char* const ads;
extern const char* const neighbours;
extern const char* const stubborn;
extern const char* const wrong_thread;

}  // namespace penstock::testing::placed
