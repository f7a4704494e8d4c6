/** Decodes percent escapes in a path. Returns malformed paths unchanged: they match nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
