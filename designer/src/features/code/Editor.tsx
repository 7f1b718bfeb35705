import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { Problem } from "@penstock/codegen/diagnostics";
import { useEffect, useRef, useState } from "react";
import { diagnosticsOf } from "./diagnosticsOf.js";
import { drawnCompletion } from "./drawnCompletions.js";
import { workbenchStore } from "../../kernel/document/index.js";
import { edited, saveFile, serviceOfFile, type FileBuffer } from "../../kernel/files/fileStore.js";
import { editorTheme } from "../../kernel/ui/look/editorTheme.js";

/** Editor states by file and version of its text, so that undo, cursor and folds survive switching. */
const states = new Map<string, { epoch: number; state: EditorState }>();
/** Those of the files that somebody left last. */
const MOST_STATES = 50;
function keep(id: string, held: { epoch: number; state: EditorState }): void {
  states.delete(id);
  states.set(id, held);
  for (const oldest of states.keys()) {
    if (states.size <= MOST_STATES) break;
    states.delete(oldest);
  }
}

const extensions = (id: string, readOnly: boolean): Extension[] => [
  lineNumbers(),
  foldGutter({ openText: "⌄", closedText: "›" }),
  lintGutter(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion(),
  drawnCompletion(() => serviceOfFile(id)),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  indentUnit.of("  "),
  EditorState.tabSize.of(2),
  EditorState.readOnly.of(readOnly),
  cpp(),
  editorTheme,
  EditorView.contentAttributes.of({ "aria-label": "Source code", spellcheck: "false", tabindex: "0" }),
  keymap.of([
    {
      key: "Mod-s",
      preventDefault: true,
      run: () => {
        void saveFile(id);
        return true;
      },
    },
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...completionKeymap,
    ...lintKeymap,
    indentWithTab,
  ]),
  EditorView.updateListener.of((update) => {
    if (update.docChanged) edited(id, update.state.doc.toString());
  }),
];

/** What stands for the answer in a handler that nobody has written yet: typing replaces it. */
export function unwrittenPart(text: string): { anchor: number; head: number } | undefined {
  const found = /penstock::throw_unimplemented\([^;]*;/.exec(text);
  return found ? { anchor: found.index, head: found.index + found[0].length } : undefined;
}

const stateOf = (buffer: FileBuffer): EditorState => {
  const held = states.get(buffer.id);
  if (held?.epoch === buffer.epoch && held.state.doc.toString() === buffer.text) return held.state;
  const selection = buffer.readOnly ? undefined : unwrittenPart(buffer.text);
  return EditorState.create({
    doc: buffer.text,
    extensions: extensions(buffer.id, buffer.readOnly),
    ...(selection ? { selection } : {}),
  });
};

/** How often somebody has gone to the code, as was answered last. */
let answered = -1;

const isHere = (focused: Element | null): boolean =>
  focused === null || focused === document.body || focused.closest(".code-pane") !== null;

export interface EditorProps {
  buffer: FileBuffer;
  problems: readonly Problem[];
  goal: { line: number; column: number; count: number } | null;
}

/**
 * CodeMirror on one buffer. The buffer is the truth; the parent mounts another Editor (by key) for
 * another file, and when its text was replaced from outside.
 */
export function Editor({ buffer, problems, goal }: EditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const [first] = useState(buffer);
  const [view, setView] = useState<EditorView | null>(null);

  useEffect(() => {
    if (!box.current) return;
    const editor = new EditorView({ state: stateOf(first), parent: box.current });
    setView(editor);
    // Who goes on in the tree, or on the canvas beside it, keeps the keyboard there.
    const { codeCount } = workbenchStore.getState();
    if (codeCount !== answered || isHere(document.activeElement)) editor.focus();
    answered = codeCount;
    return () => {
      keep(first.id, { epoch: first.epoch, state: editor.state });
      editor.destroy();
      setView(null);
    };
  }, [first]);

  useEffect(() => {
    view?.dispatch(setDiagnostics(view.state, diagnosticsOf(first.path, problems, view.state.doc)));
  }, [view, problems, first]);

  useEffect(() => {
    if (!view || !goal) return;
    const line = view.state.doc.line(Math.min(Math.max(goal.line, 1), view.state.doc.lines));
    const at = Math.min(line.from + Math.max(goal.column - 1, 0), line.to);
    view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    view.focus();
  }, [view, goal]);

  return <div className="editor" ref={box} />;
}
