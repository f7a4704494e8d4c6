import { fold } from "@/server/core/fold";
import { normaliseDomain } from "@/server/core/spelling";

/** Accepts Unicode and punycode in any case. Turkish keyboards type i as ı, I or İ, so these are equal. */
export function matchesDomain(typed: string, { domain, unicode }: DomainSpellings): boolean {
  if (normaliseDomain(typed) === domain) return true;
  const foldText = (text: string) => fold(text.normalize("NFKC").trim());
  return foldText(typed) !== "" && [domain, unicode].some((each) => foldText(each) === foldText(typed));
}

interface DomainSpellings {
  domain: string;
  unicode: string;
}
