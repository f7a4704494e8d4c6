const EVENT = "show-shortcut-sheet";

/** Opens the sheet of keyboard shortcuts, which the palette's button renders. */
export function showShortcutSheet(): void {
  window.dispatchEvent(new Event(EVENT));
}

export function listenForShortcutSheet(show: () => void): () => void {
  window.addEventListener(EVENT, show);
  return () => window.removeEventListener(EVENT, show);
}
