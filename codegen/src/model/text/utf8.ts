/**
 * Strict UTF-8 (RFC 3629) without the DOM's TextDecoder, because a problem has to say where the
 * first bad byte is: overlong forms, surrogates and code points beyond U+10FFFF are refused.
 */
export type Utf8Result = { text: string } | { badByteAt: number; before: string };

const CHUNK = 8192;

/** Decodes `bytes` from the first one; O(n). On a bad byte: its offset and the text before it. */
export function decodeUtf8(bytes: Uint8Array): Utf8Result {
  let text = "";
  let units: number[] = [];
  const flush = (): void => {
    text += String.fromCharCode(...units);
    units = [];
  };
  let at = 0;
  while (at < bytes.length) {
    const first = bytes[at] as number;
    if (first < 0x80) {
      units.push(first);
      at += 1;
    } else {
      const length =
        first >= 0xc2 && first <= 0xdf
          ? 2
          : (first & 0xf0) === 0xe0
            ? 3
            : first >= 0xf0 && first <= 0xf4
              ? 4
              : 0;
      let point = length === 0 ? -1 : first & (0xff >> (length + 1));
      for (let next = 1; next < length; next++) {
        const byte = bytes[at + next];
        if (byte === undefined || (byte & 0xc0) !== 0x80) {
          point = -1;
          break;
        }
        point = (point << 6) | (byte & 0x3f);
      }
      const overlong = (length === 3 && point < 0x800) || (length === 4 && point < 0x10000);
      if (point < 0 || overlong || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
        flush();
        return { badByteAt: at, before: text };
      }
      if (point > 0xffff)
        units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff));
      else units.push(point);
      at += length;
    }
    if (units.length >= CHUNK) flush();
  }
  flush();
  return { text };
}

/** Bytes that `text` takes in UTF-8 (a lone surrogate counts as the three of U+FFFD). */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    if (unit < 0x800) length += 1;
    else if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
      length += 2;
      at += 1;
    } else length += 2;
  }
  return length;
}

/** UTF-8 bytes of `text`, lone surrogates replaced by U+FFFD; O(n). */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(utf8Length(text));
  let to = 0;
  for (let at = 0; at < text.length; at++) {
    let point = text.codePointAt(at) as number;
    if (point > 0xffff) at += 1;
    else if (point >= 0xd800 && point <= 0xdfff) point = 0xfffd;
    if (point < 0x80) bytes[to++] = point;
    else {
      if (point < 0x800) bytes[to++] = 0xc0 | (point >> 6);
      else {
        if (point < 0x10000) bytes[to++] = 0xe0 | (point >> 12);
        else {
          bytes[to++] = 0xf0 | (point >> 18);
          bytes[to++] = 0x80 | ((point >> 12) & 0x3f);
        }
        bytes[to++] = 0x80 | ((point >> 6) & 0x3f);
      }
      bytes[to++] = 0x80 | (point & 0x3f);
    }
  }
  return bytes;
}
