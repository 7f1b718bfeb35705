import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Colours are CSS variables, so a change of theme needs nothing here. */
const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--surface-1)", color: "var(--text-1)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--font-mono)",
    fontSize: "12.5px",
    lineHeight: "21px",
    fontVariantLigatures: "none",
  },
  ".cm-content": { padding: "8px 0", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--surface-1)", color: "var(--text-3)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "38px", padding: "0 10px 0 8px" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--surface-3) 55%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--text-1)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--accent) 26%, transparent)",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "color-mix(in srgb, var(--accent) 22%, transparent)",
    outline: "none",
  },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--warn) 20%, transparent)" },
  ".cm-searchMatch": { backgroundColor: "color-mix(in srgb, var(--warn) 32%, transparent)" },
  ".cm-searchMatch-selected": { backgroundColor: "color-mix(in srgb, var(--accent) 40%, transparent)" },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--surface-3)",
    border: "none",
    color: "var(--text-2)",
    padding: "0 6px",
  },
  ".cm-panels": { backgroundColor: "var(--surface-2)", color: "var(--text-1)", borderColor: "var(--line)" },
  ".cm-panel.cm-search": { padding: "6px 10px", fontFamily: "var(--font-ui)", fontSize: "12.5px" },
  ".cm-textfield": {
    backgroundColor: "var(--well)",
    border: "1px solid var(--line-strong)",
    borderRadius: "6px",
    padding: "2px 6px",
  },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--surface-2)",
    border: "1px solid var(--line-strong)",
    borderRadius: "6px",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--surface-2)",
    border: "1px solid var(--line-strong)",
    borderRadius: "7px",
    boxShadow: "var(--shadow-float)",
    overflow: "hidden",
  },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-mono)", fontSize: "12px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--surface-3)",
    color: "var(--text-1)",
  },
  ".cm-diagnostic": {
    padding: "5px 10px",
    borderLeft: "3px solid",
    fontFamily: "var(--font-ui)",
    fontSize: "12.5px",
  },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad) 1px",
    textUnderlineOffset: "4px",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warn) 1px",
    textUnderlineOffset: "4px",
  },
  ".cm-gutter-lint": { width: "14px" },
});

const colours = HighlightStyle.define([
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: "var(--text-3)" },
  {
    tag: [
      tags.keyword,
      tags.controlKeyword,
      tags.definitionKeyword,
      tags.moduleKeyword,
      tags.modifier,
      tags.operatorKeyword,
    ],
    color: "color-mix(in srgb, var(--pool-4) 82%, var(--text-1))",
  },
  {
    tag: [tags.string, tags.character, tags.special(tags.string)],
    color: "color-mix(in srgb, var(--pool-3) 82%, var(--text-1))",
  },
  {
    tag: [tags.number, tags.bool, tags.literal],
    color: "color-mix(in srgb, var(--pool-2) 82%, var(--text-1))",
  },
  {
    tag: [tags.typeName, tags.className, tags.standard(tags.typeName)],
    color: "color-mix(in srgb, var(--pool-1) 82%, var(--text-1))",
  },
  { tag: [tags.namespace], color: "var(--text-1)" },
  {
    tag: [tags.processingInstruction, tags.meta, tags.macroName],
    color: "color-mix(in srgb, var(--pool-6) 82%, var(--text-1))",
  },
  { tag: [tags.self, tags.null], color: "color-mix(in srgb, var(--pool-2) 82%, var(--text-1))" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

export const editorTheme = [look, syntaxHighlighting(colours)];
