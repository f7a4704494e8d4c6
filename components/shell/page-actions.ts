/** Excludes create buttons: the palette offers them on every page. */
const ACTION_SELECTOR =
  "[data-actions] :is(a[href], button):not([data-create], :disabled, [aria-disabled=true])";

export function listPageActions() {
  return [...document.querySelectorAll<HTMLElement>(`main ${ACTION_SELECTOR}`)].flatMap((element, index) => {
    const label = (element.ariaLabel ?? element.textContent).trim();
    return label && element.checkVisibility()
      ? [{ key: `page-${index}`, label, press: () => element.click() }]
      : [];
  });
}
