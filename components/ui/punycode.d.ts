declare module "punycode.js" {
  /** Decodes a punycode domain. */
  export function toUnicode(domain: string): string;
}
