/**
 * Placeholder of a popup while its code loads; `data-opening` pauses the page's shortcuts. A drawer that docks needs
 * no pause: `RowPreview` handles its keys.
 */
export function PopupPlaceholder({ docks }: { docks?: boolean }) {
  return docks ? null : <span data-opening hidden />;
}
