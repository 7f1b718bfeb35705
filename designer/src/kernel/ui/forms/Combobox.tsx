import { useId, useState, type ReactNode } from "react";

/** One of the lines below what is typed. */
export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  readonly icon: ReactNode;
  readonly perform: () => void;
}

export interface ComboboxProps {
  readonly label: string;
  readonly placeholder: string;
  /** Left of what is typed. */
  readonly lead?: ReactNode;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** What fits the query, best first. */
  readonly choices: readonly Choice[];
  readonly choicesLabel: string;
  /** Continues with the query: `Nothing fits`. */
  readonly nothing: string;
  readonly onPick: (choice: Choice) => void;
  readonly onEscape?: () => void;
}

/** Type to find, arrows to choose, Enter to take (docs/decisions/0045: why it is not cmdk). */
export function Combobox({ query, onQuery, choices, onPick, onEscape, ...words }: ComboboxProps) {
  const id = useId();
  const [active, setActive] = useState({ index: 0, byKey: false });
  const at = Math.min(active.index, choices.length - 1);
  const move = (by: number) =>
    setActive({ index: (at + by + choices.length) % Math.max(1, choices.length), byKey: true });
  const pick = (choice = choices[at]) => choice && onPick(choice);
  return (
    <>
      <div className="combobox-input">
        {words.lead}
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
          aria-label={words.label}
          placeholder={words.placeholder}
          autoFocus
          value={query}
          onChange={(event) => {
            onQuery(event.target.value);
            setActive({ index: 0, byKey: true });
          }}
          onKeyDown={(event) => {
            if (event.key === "Escape" && onEscape) onEscape();
            else if (event.key === "ArrowDown") move(1);
            else if (event.key === "ArrowUp") move(-1);
            else if (event.key === "Enter") pick();
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
      </div>
      <div id={id} role="listbox" aria-label={words.choicesLabel} className="combobox-list">
        {choices.map((choice, index) => (
          <div
            key={choice.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className="menu-item"
            data-highlighted={index === at ? "" : undefined}
            ref={(element) => {
              if (index === at && active.byKey) element?.scrollIntoView({ block: "nearest" });
            }}
            onPointerMove={() => setActive({ index, byKey: false })}
            onClick={() => pick(choice)}
          >
            {choice.icon}
            <span>{choice.label}</span>
            <span className="menu-key">{choice.hint}</span>
          </div>
        ))}
        {choices.length === 0 ? (
          <div className="menu-label">
            {words.nothing} “{query}”
          </div>
        ) : null}
      </div>
    </>
  );
}
