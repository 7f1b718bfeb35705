import { configure } from "@testing-library/react";

// What a test waits for comes when the machine has the time; one second is a verdict on the machine.
configure({ asyncUtilTimeout: 120_000 });
