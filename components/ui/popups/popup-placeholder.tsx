/** Placeholder of a popup while its code loads; `data-opening` pauses the page's shortcuts. */
export function PopupPlaceholder() {
  return <span data-opening hidden />;
}
