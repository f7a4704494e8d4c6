import { normaliseDomain } from "@/server/core/email-and-domain";
import { foldText } from "@/server/core/fold";

/** Accepts Unicode and punycode in any case. ı, I and İ equal i, because Turkish keyboards have them. */
export function matchesDomain(typedDomain: string, { domain, unicodeDomain }: DomainSpellings): boolean {
  if (normaliseDomain(typedDomain) === domain) return true;
  const foldTyped = (text: string) => foldText(text.normalize("NFKC").trim());
  return (
    foldTyped(typedDomain) !== "" &&
    [domain, unicodeDomain].some((spelling) => foldTyped(spelling) === foldTyped(typedDomain))
  );
}

interface DomainSpellings {
  domain: string;
  unicodeDomain: string;
}
