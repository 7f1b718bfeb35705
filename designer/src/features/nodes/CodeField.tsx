import {
  autocompletion,
  closeBrackets,
  completionKeymap,
  type CompletionContext,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { bracketMatching } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { editorTheme } from "../../kernel/ui/look/editorTheme.js";

export interface CodeFieldProps {
  label: string;
  value: string;
  /** Words that are offered while typing: the fields of the request. */
  words: readonly string[];
  language: "cpp" | "sql" | "text";
  readOnly?: boolean;
  invalid: boolean;
  onCommit: (value: string) => void;
}

/**
 * A few lines of code as a property: Enter or leaving it commits, Shift+Enter breaks the line, Escape
 * puts back what was there.
 */
export function CodeField({ label, value, words, language, readOnly, invalid, onCommit }: CodeFieldProps) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef({ value, words, onCommit });
  useEffect(() => {
    latest.current = { value, words, onCommit };
  });

  useEffect(() => {
    if (!box.current) return;
    const commit = (editor: EditorView): boolean => {
      const text = editor.state.doc.toString();
      if (text !== latest.current.value) latest.current.onCommit(text);
      return true;
    };
    const complete = (context: CompletionContext) => {
      const word = context.matchBefore(language === "cpp" ? /(?:request\.)?\w*/ : /[:{]\w*/);
      if (!word || (word.from === word.to && !context.explicit)) return null;
      return {
        from: word.from,
        options: latest.current.words.map((option) => ({ label: option, type: "property" })),
      };
    };
    const editor = new EditorView({
      parent: box.current,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          history(),
          bracketMatching(),
          closeBrackets(),
          autocompletion({ override: [complete], icons: false }),
          EditorView.lineWrapping,
          EditorState.readOnly.of(readOnly === true),
          ...(language === "cpp" ? [cpp()] : []),
          editorTheme,
          EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
          keymap.of([
            ...completionKeymap,
            {
              key: "Shift-Enter",
              run: (target) => defaultKeymap.find(({ key }) => key === "Enter")?.run?.(target) ?? false,
            },
            { key: "Enter", run: commit },
            {
              key: "Escape",
              run: (target) => {
                if (target.state.doc.toString() === latest.current.value) return false;
                replace(target, latest.current.value);
                return true;
              },
            },
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          EditorView.domEventHandlers({ blur: (_event, target) => void commit(target) }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, language, readOnly]);

  // An undo, or an edit made elsewhere.
  useEffect(() => {
    if (view.current && view.current.state.doc.toString() !== value) replace(view.current, value);
  }, [value]);

  return <div className="code-field" data-invalid={invalid} ref={box} />;
}

const replace = (view: EditorView, text: string): void =>
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
