import { createContext, useContext, useState } from "react";

/** Whose the fields within are: what is typed for one thing is no draft of another that comes in its place. */
export const DraftOwner = createContext("");

/** What is being typed over `value`; gone as soon as the value itself, or the owner, changes. */
export function useDraft(value: unknown): [draft: string | null, set: (draft: string | null) => void] {
  const of = useContext(DraftOwner);
  const [draft, setDraft] = useState<{ of: string; over: unknown; text: string | null }>({
    of,
    over: value,
    text: null,
  });
  const text = draft.of === of && draft.over === value ? draft.text : null;
  return [text, (next) => setDraft({ of, over: value, text: next })];
}
