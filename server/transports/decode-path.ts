/** Decodes percent escapes in a path. Returns malformed paths unchanged: they match nothing. */
export function decodePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
