// Nothing of its own: it stands for the tests that share its precompiled header.
