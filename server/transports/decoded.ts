/** Text of a path without its escapes; malformed ones stay as they are, and nothing has such a name. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
