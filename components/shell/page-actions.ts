/** What creates something is in the palette wherever one is. */
const ACTIONS = "[data-actions] :is(a[href], button):not([data-create], :disabled, [aria-disabled=true])";

/** What the page offers beside its title, and for what is selected in it. */
export function pageActions() {
  return [...document.querySelectorAll<HTMLElement>(`main ${ACTIONS}`)].flatMap((element, index) => {
    const label = (element.ariaLabel ?? element.textContent).trim();
    return label && element.checkVisibility()
      ? [{ key: `page-${index}`, label, press: () => element.click() }]
      : [];
  });
}
