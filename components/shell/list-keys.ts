const OPENER = "a[href], button:not(:disabled)";
export const CREATE = "[data-create]:not(:disabled)";
/** Delete buttons of a row and of the selection. Each asks first or offers undo. */
const REMOVE = "[data-remove]:not(:disabled)";
const REMOVE_SELECTED = "[data-remove]:not(:disabled, tbody *)";
/** Element that each key presses in the focused row. */
const ROW_TARGETS: Record<string, string> = {
  x: "input[type=checkbox]:not(:disabled)",
  "Shift x": "input[type=checkbox]:not(:disabled)",
  ".": "[aria-haspopup=menu]",
  e: "[data-edit]:not(:disabled), [data-title] a[href^='/']",
  " ": "[data-peek]",
  Delete: REMOVE,
};
const PAGE_TARGETS: Record<string, string> = {
  "[": "[data-pages] > :first-child:not(:disabled)",
  "]": "[data-pages] > :last-child:not(:disabled)",
  c: CREATE,
};
const UNDO = "[data-undo]:not([data-ending-style] *)";

const main = () => document.getElementsByTagName("main")[0];

/**
 * Handles a list key and returns whether it had an effect: j and k move between rows, x selects (with Shift a
 * range), period opens the row menu, e the row, Space the preview, Delete deletes the selection or the row, [
 * and ] page, c creates.
 */
export function pressListKey(key: string): boolean {
  const page = main();
  if (!page) return false;
  const row = document.activeElement?.closest("tbody tr");
  if (key === "j" || key === "k") return step(page, row, key === "j" ? 1 : -1);
  const selected = key === "Delete" ? page.querySelector<HTMLElement>(REMOVE_SELECTED) : null;
  const inRowTarget = ROW_TARGETS[key] ? row?.querySelector<HTMLElement>(ROW_TARGETS[key]) : undefined;
  const pageTarget = PAGE_TARGETS[key] ? page.querySelector<HTMLElement>(PAGE_TARGETS[key]) : undefined;
  return press(selected ?? inRowTarget ?? pageTarget, key.startsWith("Shift "));
}

/** Presses "Undo" in the visible toast. Returns false without one. */
export function pressUndo(): boolean {
  return press(document.querySelector<HTMLElement>(UNDO));
}

/** Returns the keys that have an effect on the current page. */
export function activeListKeys(): ReadonlySet<string> {
  const page = main();
  const hasTarget = ([, selector]: [string, string]) => page?.querySelector(selector);
  const rowSelectors = Object.entries(ROW_TARGETS).map(([key, selector]): [string, string] => [
    key,
    `tbody tr :is(${selector})`,
  ]);
  const keys = [...rowSelectors, ...Object.entries(PAGE_TARGETS)].filter(hasTarget).map(([key]) => key);
  return new Set([...keys, ...(page && rowsOf(page).length > 0 ? ["j"] : [])]);
}

function press(element: HTMLElement | null | undefined, shiftKey = false): boolean {
  element?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey }));
  return Boolean(element);
}

function rowsOf(page: HTMLElement) {
  return [...page.querySelectorAll<HTMLElement>("tbody tr")].flatMap((each) => {
    const opener = each.querySelector<HTMLElement>(OPENER);
    return opener?.checkVisibility() ? [{ each, opener }] : [];
  });
}

/** Focuses the opener of the next row in that direction, or of the first or last one. */
function step(page: HTMLElement, row: Element | null | undefined, by: 1 | -1): boolean {
  const rows = rowsOf(page);
  const at = rows.findIndex(({ each }) => each === row);
  const next = at < 0 ? rows.at(by > 0 ? 0 : -1) : rows[at + by];
  next?.opener.focus();
  return next !== undefined;
}
