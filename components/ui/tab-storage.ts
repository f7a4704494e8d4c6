/** Items that live as long as the tab. Blocked or full storage loses only them. */
export function readTabItem(key: string): string | undefined {
  try {
    return window.sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** An empty value removes the item. */
export function writeTabItem(key: string, value: string): void {
  try {
    if (value) window.sessionStorage.setItem(key, value);
    else window.sessionStorage.removeItem(key);
  } catch {}
}
