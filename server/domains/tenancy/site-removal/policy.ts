import { fold } from "@/server/core/fold";
import { normaliseDomain } from "@/server/core/spelling";

/** Ignores case and punycode. Keyboards turn i into ı, I or İ, so these are equal, too. */
export function matchesDomain(typed: string, { domain, written }: Domain): boolean {
  if (normaliseDomain(typed) === domain) return true;
  const plain = (text: string) => fold(text.normalize("NFKC").trim());
  return plain(typed) !== "" && [domain, written].some((each) => plain(each) === plain(typed));
}

interface Domain {
  domain: string;
  written: string;
}
