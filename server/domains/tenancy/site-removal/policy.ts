import { fold } from "@/server/core/fold";
import { normaliseDomain } from "@/server/core/spelling";

/**
 * Whether somebody typed this domain: in punycode or as people write it, in any case, with I and İ for i and ı, as
 * keyboards and telephones change them.
 */
export function confirmsDomain(typed: string, { domain, written }: Spelled): boolean {
  if (normaliseDomain(typed) === domain) return true;
  const plain = (text: string) => fold(text.normalize("NFKC").trim());
  return plain(typed) !== "" && [domain, written].some((each) => plain(each) === plain(typed));
}

/** A domain in punycode, and as people write it. */
interface Spelled {
  domain: string;
  written: string;
}
