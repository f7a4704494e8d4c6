/** A dot that mail programs may take for that of a host name, in any script. */
const DOT = /(?<=[\p{L}\p{N}\p{M}_-])[.\u3002\uff0e\uff61](?=[\p{L}\p{M}]{2})/gu;
const IPV4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;

/** Returns a text in which mail programs find no link and no encoded word. */
export function withoutLinks(text: string): string {
  return text
    .replaceAll("://", ": ")
    .replaceAll("=?", "= ?")
    .replace(DOT, ". ")
    .replace(IPV4, (address) => address.replaceAll(".", ". "));
}

/** Characters that delimit addresses in a mail's header. */
const HEADER = /[<>@":]|=\?/;

/** Whether a brand may have this name. */
export const isPlainName = (name: string): boolean => !HEADER.test(name);

/** Returns a name as the sender of a mail may have it: without addresses, links and encoded words. */
export function plainName(name: string): string {
  return withoutLinks(name.replace(new RegExp(HEADER, "g"), " "))
    .replace(/\s+/g, " ")
    .trim();
}
