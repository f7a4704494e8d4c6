/** Only the path: the panel has several hosts, and the CSP allows pictures from the current one only. */
export function toPicturePath(url: string | null | undefined): string | null {
  return url ? new URL(url).pathname : null;
}
