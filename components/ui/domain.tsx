import { toUnicode } from "punycode.js";
import { Ltr } from "./bidi";

/** Domain in Unicode. The tooltip shows the punycode, because letters of different scripts look alike. */
export function Domain({ name }: { name: string }) {
  const unicode = toUnicodeDomain(name);
  if (unicode === name) return <Ltr>{name}</Ltr>;
  return (
    <span title={name}>
      <Ltr>{unicode}</Ltr>
    </span>
  );
}

export function toUnicodeDomain(name: string): string {
  if (!name.includes("xn--")) return name;
  try {
    return toUnicode(name);
  } catch {
    return name;
  }
}
