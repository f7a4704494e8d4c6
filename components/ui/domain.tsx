import { toUnicode } from "punycode.js";
import { Ltr } from "./bidi";

/** A domain as people write it. One with letters beyond ASCII shows its other spelling, too: letters of two scripts look alike. */
export function Domain({ name }: { name: string }) {
  const written = spelled(name);
  if (written === name) return <Ltr>{name}</Ltr>;
  return (
    <span title={name}>
      <Ltr>{written}</Ltr>
    </span>
  );
}

/** The same as a text. */
export function spelled(name: string): string {
  if (!name.includes("xn--")) return name;
  try {
    return toUnicode(name);
  } catch {
    return name;
  }
}
