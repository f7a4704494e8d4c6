/** Dot of any script that mail programs may treat as part of a host name. */
const LINK_DOT = /(?<=[\p{L}\p{N}\p{M}_-])[.\u3002\uff0e\uff61](?=[\p{L}\p{M}]{2})/gu;
const IPV4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;

/** Changes text so that mail programs detect no link and no encoded word (RFC 2047) in it. */
export function breakLinks(text: string): string {
  return text
    .replaceAll("://", ": ")
    .replaceAll("=?", "= ?")
    .replace(LINK_DOT, ". ")
    .replace(IPV4, (address) => address.replaceAll(".", ". "));
}

/** Delimiters of addresses in a mail header, and the start of an encoded word. */
const HEADER_SYNTAX = /[<>@":]|=\?/;

export const isPlainName = (name: string): boolean => !HEADER_SYNTAX.test(name);

/** Removes addresses, links and encoded words from a sender name. */
export function toPlainName(name: string): string {
  return breakLinks(name.replace(new RegExp(HEADER_SYNTAX, "g"), " "))
    .replace(/\s+/g, " ")
    .trim();
}
