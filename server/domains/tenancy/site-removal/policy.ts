import { fold } from "@/server/core/fold";
import { normaliseDomain } from "@/server/core/spelling";

/**
 * Compares a typed domain in punycode or Unicode, ignoring case. Keyboards turn i into ı, I or İ, so these
 * are equal, too.
 */
export function confirmsDomain(typed: string, { domain, written }: Spelled): boolean {
  if (normaliseDomain(typed) === domain) return true;
  const plain = (text: string) => fold(text.normalize("NFKC").trim());
  return plain(typed) !== "" && [domain, written].some((each) => plain(each) === plain(typed));
}

interface Spelled {
  domain: string;
  written: string;
}
