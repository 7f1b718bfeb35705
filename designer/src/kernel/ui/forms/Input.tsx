import {
  useEffect,
  useEffectEvent,
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type TextareaHTMLAttributes,
} from "react";
import { Prose } from "../Prose.js";
import { useDraft } from "./useDraft.js";

export interface InputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "size"> {
  icon?: ReactNode;
  mono?: boolean;
  /** Why the value is refused; shown below and read out. */
  error?: string | undefined;
  /** Called with the text on Enter or when the field is left, if it changed; Escape puts the old one back. */
  onCommit?: (value: string) => void;
  /** Why a text is not committed: it stays, with this below it, until it is another one. */
  faultOf?: ((value: string) => string | undefined) | undefined;
  /** Called with what `faultOf` says of the text that is there, and with undefined once that is over. */
  onFault?: ((fault: string | undefined) => void) | undefined;
  /** Escape has put the old text back. */
  onReset?: (() => void) | undefined;
  unit?: ReactNode;
  trailing?: ReactNode;
}

/**
 * One line of text. With `onCommit` it keeps a draft of `value` until Enter or blur, so that an
 * edit is one step in the undo log; without, it is an ordinary controlled input.
 */
export function Input({
  icon,
  mono,
  error: told,
  onCommit,
  faultOf,
  onFault,
  onReset,
  unit,
  trailing,
  value,
  onChange,
  onKeyDown,
  onBlur,
  ...rest
}: InputProps) {
  const [draft, setDraft] = useDraft(value);
  const errorId = useId();
  const commits = onCommit !== undefined;
  const shown = commits ? (draft ?? value ?? "") : value;
  const fault = draft === null ? undefined : faultOf?.(draft);
  const error = told ?? fault;
  const tell = useEffectEvent((now: string | undefined) => onFault?.(now));
  useEffect(() => {
    if (fault === undefined) return;
    tell(fault);
    return () => tell(undefined);
  }, [fault]);

  const commit = () => {
    if (draft !== null && faultOf?.(draft) !== undefined) return;
    if (draft !== null && draft !== String(value ?? "")) onCommit?.(draft);
    setDraft(null);
  };
  return (
    <div className="input-box">
      <div className="input" data-mono={mono ?? false} data-invalid={Boolean(error)}>
        {icon}
        <input
          spellCheck={false}
          autoComplete="off"
          // What an empty field says may be longer than it.
          title={shown === "" ? rest.placeholder : undefined}
          {...rest}
          value={shown}
          aria-invalid={Boolean(error)}
          aria-describedby={error ? errorId : rest["aria-describedby"]}
          onChange={(event) => {
            if (commits) setDraft(event.target.value);
            onChange?.(event);
          }}
          onKeyDown={(event) => {
            onKeyDown?.(event);
            if (!commits || event.defaultPrevented) return;
            if (event.key === "Enter") commit();
            else if (event.key === "Escape" && draft !== null) {
              event.stopPropagation();
              setDraft(null);
              onReset?.();
            }
          }}
          onBlur={(event) => {
            if (commits) commit();
            onBlur?.(event);
          }}
        />
        {unit ? <span className="input-unit">{unit}</span> : null}
        {trailing}
      </div>
      {error ? (
        <div className="input-error" id={errorId}>
          <Prose text={error} />
        </div>
      ) : null}
    </div>
  );
}

export interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  /** Called when the field is left or Ctrl+Enter is pressed, if the text changed. */
  onCommit?: (value: string) => void;
}

export function TextArea({ onCommit, value, onChange, onBlur, onKeyDown, ...rest }: TextAreaProps) {
  const [draft, setDraft] = useDraft(value);
  const commit = () => {
    if (draft !== null && draft !== String(value ?? "")) onCommit?.(draft);
    setDraft(null);
  };
  return (
    <textarea
      rows={2}
      {...rest}
      className={`textarea ${rest.className ?? ""}`}
      value={onCommit ? (draft ?? value ?? "") : value}
      onChange={(event) => {
        if (onCommit) setDraft(event.target.value);
        onChange?.(event);
      }}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (onCommit && event.key === "Enter" && (event.ctrlKey || event.metaKey)) commit();
        if (onCommit && event.key === "Escape" && draft !== null) {
          event.stopPropagation();
          setDraft(null);
        }
      }}
      onBlur={(event) => {
        if (onCommit) commit();
        onBlur?.(event);
      }}
    />
  );
}
