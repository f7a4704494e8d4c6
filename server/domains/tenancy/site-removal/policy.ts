import { fold } from "@/server/core/fold";
import { normaliseDomain } from "@/server/core/spelling";

/** Accepts Unicode and punycode in any case. ı, I and İ equal i, because Turkish keyboards have them. */
export function matchesDomain(typedDomain: string, { domain, unicode }: DomainSpellings): boolean {
  if (normaliseDomain(typedDomain) === domain) return true;
  const foldText = (text: string) => fold(text.normalize("NFKC").trim());
  return (
    foldText(typedDomain) !== "" && [domain, unicode].some((each) => foldText(each) === foldText(typedDomain))
  );
}

interface DomainSpellings {
  domain: string;
  unicode: string;
}
