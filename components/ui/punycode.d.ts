declare module "punycode.js" {
  /** A domain as people write it. */
  export function toUnicode(domain: string): string;
}
