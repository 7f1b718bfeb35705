import type { CatalogueEntry } from "./entry.js";

/** 700-749: writing the generated project. */
export const GENERATING = {
  PS700: {
    severity: "error",
    title: "No project here",
    explanation: "The folder holds no topology.json that can be read.",
    help: "Name the folder that holds topology.json, or make a project with `penstock init`.",
  },
  PS701: {
    severity: "error",
    title: "Edited generated file",
    explanation: "A file below generated/ is not as Penstock wrote it; its next run would lose the edit.",
    help: "Move the edit to a file below src/, or overwrite it with `penstock generate --force`.",
  },
  PS703: {
    severity: "error",
    title: "Link in the way",
    explanation: "Penstock follows no symbolic link inside a project: it could lead anywhere.",
    help: "Replace it by a plain file or folder.",
  },
  PS715: {
    severity: "error",
    title: "File too large",
    explanation:
      "Penstock reads a drawing of up to 5 MB, and other files of a project of up to 16: what is larger came there by mistake.",
    help: "Put the file in its place that belongs there.",
  },
  PS704: {
    severity: "error",
    title: "Disk full",
    explanation: "There is no room for the project's files; the project is as it was.",
    help: "Free some space and generate again.",
  },
  PS705: {
    severity: "error",
    title: "No permission to write",
    explanation: "The project's folder cannot be written by this user; the project is as it was.",
    help: "Give yourself the right to write it, or copy the project to another place.",
  },
  PS706: {
    severity: "error",
    title: "Generating already",
    explanation: "Another process generates the same project at this moment.",
    help: "Try again when it has finished.",
  },
  PS716: {
    severity: "warning",
    title: "File saved while the project was generated",
    explanation:
      "A file was to be moved, changed or removed, and was saved in the very moment in which that was done. It stays as it was saved.",
    help: "Look at the file: what was renamed is not renamed in it, and a copy of before that may stand in its new place.",
  },
  PS707: {
    severity: "error",
    title: "Node of the project cannot be used",
    explanation:
      "A folder in `nodes/` of the project is a node of its own: `node.json` says what it is, `handler.hbs` is its C++.",
    help: "Correct the file named, or remove the folder.",
  },
  PS708: {
    severity: "error",
    title: "Template of a node cannot be used",
    explanation:
      "`handler.hbs` (and `state.hbs`) of a node is a Handlebars template without partials and decorators that reads only names which it is given.",
    help: "Correct the template at the line named.",
  },
  PS709: {
    severity: "error",
    title: "Node of the project hides a standard one",
    explanation:
      "A type means the same node in every project, so a project cannot have its own of that name.",
    help: "Rename the folder and the type in its manifest.",
  },
  PS710: {
    severity: "warning",
    title: "Code names what is not drawn",
    explanation:
      "A handler says `calls.X`, `flows.X`, `request.x` or takes a message, and the drawing has no such call, flow, field or message for it. Or a file says what may be a message, a field, an enum or a value that has another name now, and may be something else: where it is that for sure, the next generation changes it. The designer reads it in the text, before anything is built; the compiler has the last word.",
    help: "Draw it, or change the code.",
  },
  PS711: {
    severity: "error",
    title: "Source of the project cannot be used",
    explanation:
      "A folder in `sources/` of the project is a source of its own: `source.json` says what it is, `source.hpp` is its C++.",
    help: "Correct the file named, or remove the folder.",
  },
  PS712: {
    severity: "error",
    title: "Source of the project hides a standard one",
    explanation:
      "A kind means the same source in every project, so a project cannot have its own of that name.",
    help: "Rename the folder and the kind in its manifest.",
  },
  PS714: {
    severity: "error",
    title: "Template of a node takes too long",
    explanation:
      "Templates that a project brings along have 10 s and 256 MB to make all of their files; then they are ended.",
    help: "Simplify the template: loops in loops, and helpers in helpers, make it grow with every level.",
  },
} as const satisfies Record<string, CatalogueEntry>;
