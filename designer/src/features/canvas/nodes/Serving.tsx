/** `ads-server · :7400`: the binary's name and, apart from it, where it listens; of several binaries one text. */
const PARTS = /^([^,]*)( · [^,]*)$/;

/** What serves a bundle. Where there is little room the binary's name is cut, not the port behind it. */
export function Serving({ text }: { text: string }) {
  const [, ...parts] = PARTS.exec(text) ?? [text, text];
  return (
    <span className="bundle-binaries" title={text}>
      {parts.map((part, at) => (
        <span key={at}>{part}</span>
      ))}
    </span>
  );
}
