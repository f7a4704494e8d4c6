/** Without create buttons: the palette offers those on every page. */
const ACTIONS = "[data-actions] :is(a[href], button):not([data-create], :disabled, [aria-disabled=true])";

export function pageActions() {
  return [...document.querySelectorAll<HTMLElement>(`main ${ACTIONS}`)].flatMap((element, index) => {
    const label = (element.ariaLabel ?? element.textContent).trim();
    return label && element.checkVisibility()
      ? [{ key: `page-${index}`, label, press: () => element.click() }]
      : [];
  });
}
