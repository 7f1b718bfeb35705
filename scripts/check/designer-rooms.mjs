/**
 * The designer's rooms, lowest first. `each`: every folder in it is a room of its own. `face`: others import its
 * index only. `free`: packages that it does without, and those of which it has types only, also by way of what it imports.
 */
const KERNEL = {
  ui: [],
  document: [],
  server: ["ui"],
  live: ["ui", "document", "server"],
  problems: ["ui", "document", "server"],
  files: ["ui", "document", "server", "problems"],
  connection: ["ui", "document", "server", "live"],
  run: ["ui", "document", "server", "live", "problems", "files", "connection"],
  fields: ["ui", "document", "server", "live", "problems", "files", "connection", "run"],
};
const inKernel = (name) => `kernel/${name}`;
const kernel = Object.keys(KERNEL).map(inKernel);

/** What the page begins with: outside of all rooms, above the shell. */
const ENTRY = ["main.tsx", "early.ts", "firstScript.test.ts"];

const DOWN = "What it needs moves down to it, or is handed in by who calls it.";
const NO_FEATURE =
  "A feature knows no other: move down what both need (kernel, drawing), or let the other one bring it by a list of designer/src/registry/feature.ts.";

/** @param {string[]} codegen what the browser may have of codegen */
export const designerRooms = (codegen) => {
  const room = (name, may, instead, more = {}) => ({
    name,
    at: `designer/src/${name}`,
    may: [...may, ...codegen],
    instead,
    pure: false,
    testsMay: ["testing"],
    ...more,
  });
  return [
    ...Object.entries(KERNEL).map(([name, may]) => room(inKernel(name), may.map(inKernel), DOWN)),
    room("drawing", kernel, `${DOWN} What shows something is a feature.`, {
      free: {
        packages: /^((lucide-)?react(-dom)?(\/.*)?|radix-ui|zustand(?!\/vanilla$)(\/.*)?)$/,
        values: /^@xyflow\/react$/,
        instead:
          "The drawing is geometry and mapping, free of React: components and hooks belong to a feature, or in the kernel to a file of their own.",
      },
    }),
    room("registry", [...kernel, "drawing"], "It has lists; who is in them adds itself."),
    room("features", [...kernel, "drawing", "registry"], NO_FEATURE, { each: true, face: true }),
    room("shell", [...kernel, "drawing", "registry", "features"], "It puts the features together."),
    ...ENTRY.map((file) => ({
      ...room("entry", [...kernel, "drawing", "shell"], "It starts the shell."),
      at: `designer/src/${file}`,
    })),
    room("testing", kernel, "What tests of every room share is about the kernel."),
    {
      ...room("designer/src", [], ""),
      at: "designer/src",
      nobody: "belongs to no room: it goes to kernel/, drawing/, registry/, features/<name>/ or shell/.",
    },
    { ...room("designer", [], "Settings of its tools only."), at: "designer", may: [], testsMay: [] },
  ];
};
