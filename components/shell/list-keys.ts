const ROW_OPENER_SELECTOR = "a[href], button:not(:disabled)";
export const CREATE_BUTTON_SELECTOR = "[data-create]:not(:disabled)";
/** Delete buttons of a row and of the selection. Each asks first or offers undo. */
const REMOVE_BUTTON_SELECTOR = "[data-remove]:not(:disabled)";
const REMOVE_SELECTED_SELECTOR = "[data-remove]:not(:disabled, tbody *)";
const ROW_TARGET_SELECTORS: Record<string, string> = {
  x: "input[type=checkbox]:not(:disabled)",
  "Shift x": "input[type=checkbox]:not(:disabled)",
  ".": "[aria-haspopup=menu]",
  e: "[data-edit]:not(:disabled), [data-title] a[href^='/']",
  " ": "[data-peek]",
  Delete: REMOVE_BUTTON_SELECTOR,
};
const PAGE_TARGET_SELECTORS: Record<string, string> = {
  "[": "[data-pages] > :first-child:not(:disabled)",
  "]": "[data-pages] > :last-child:not(:disabled)",
  c: CREATE_BUTTON_SELECTOR,
};
const UNDO_SELECTOR = "[data-undo]:not([data-ending-style] *)";

const findMainElement = () => document.getElementsByTagName("main")[0];

/**
 * Returns whether the key had an effect. j and k move, x selects (Shift: a range), period opens the row menu,
 * e edits, Space previews, Delete deletes the selection or the row, [ and ] change the page, c creates.
 */
export function pressListKey(key: string): boolean {
  const page = findMainElement();
  if (!page) return false;
  const row = document.activeElement?.closest("tbody tr");
  if (key === "j" || key === "k") return focusAdjacentRow(page, row, key === "j" ? 1 : -1);
  const selectionTarget = key === "Delete" ? page.querySelector<HTMLElement>(REMOVE_SELECTED_SELECTOR) : null;
  const rowTarget = ROW_TARGET_SELECTORS[key]
    ? row?.querySelector<HTMLElement>(ROW_TARGET_SELECTORS[key])
    : undefined;
  const pageTarget = PAGE_TARGET_SELECTORS[key]
    ? page.querySelector<HTMLElement>(PAGE_TARGET_SELECTORS[key])
    : undefined;
  return clickElement(selectionTarget ?? rowTarget ?? pageTarget, key.startsWith("Shift "));
}

/** Presses "Undo" in the visible toast. Returns false without such a toast. */
export function pressUndo(): boolean {
  return clickElement(document.querySelector<HTMLElement>(UNDO_SELECTOR));
}

export function listActiveKeys(): ReadonlySet<string> {
  const page = findMainElement();
  const hasTarget = ([, selector]: [string, string]) => page?.querySelector(selector);
  const rowSelectors = Object.entries(ROW_TARGET_SELECTORS).map(([key, selector]): [string, string] => [
    key,
    `tbody tr :is(${selector})`,
  ]);
  const keys = [...rowSelectors, ...Object.entries(PAGE_TARGET_SELECTORS)]
    .filter(hasTarget)
    .map(([key]) => key);
  return new Set([...keys, ...(page && listRows(page).length > 0 ? ["j"] : [])]);
}

function clickElement(element: HTMLElement | null | undefined, shiftKey = false): boolean {
  element?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey }));
  return Boolean(element);
}

function listRows(page: HTMLElement) {
  return [...page.querySelectorAll<HTMLElement>("tbody tr")].flatMap((element) => {
    const opener = element.querySelector<HTMLElement>(ROW_OPENER_SELECTOR);
    return opener?.checkVisibility() ? [{ row: element, opener }] : [];
  });
}

function focusAdjacentRow(page: HTMLElement, row: Element | null | undefined, direction: 1 | -1): boolean {
  const rows = listRows(page);
  const index = rows.findIndex(({ row: element }) => element === row);
  const next = index < 0 ? rows.at(direction > 0 ? 0 : -1) : rows[index + direction];
  next?.opener.focus();
  return next !== undefined;
}
