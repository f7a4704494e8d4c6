/** What a row is opened by: its first link or button. */
const OPENER = "a[href], button:not(:disabled)";
/** What a page begins something new with. */
export const CREATE = "[data-create]:not(:disabled)";
/** What deletes a row, or outside of the rows those that are selected; each asks first, or can be taken back. */
const REMOVE = "[data-remove]:not(:disabled)";
const REMOVE_SELECTED = "[data-remove]:not(:disabled, tbody *)";
/** What each key presses in the row that has the focus. */
const IN_ROW: Record<string, string> = {
  x: "input[type=checkbox]:not(:disabled)",
  "Shift x": "input[type=checkbox]:not(:disabled)",
  ".": "[aria-haspopup=menu]",
  e: "[data-edit]:not(:disabled), [data-title] a[href^='/']",
  " ": "[data-peek]",
  Delete: REMOVE,
};
const ON_PAGE: Record<string, string> = {
  "[": "[data-pages] > :first-child:not(:disabled)",
  "]": "[data-pages] > :last-child:not(:disabled)",
  c: CREATE,
};
/** What takes back the latest that was done. */
const UNDO = "[data-undo]:not([data-ending-style] *)";

const main = () => document.getElementsByTagName("main")[0];

/**
 * The keys of a list, on what the page shows: j and k go to the next row and the one before, x ticks the row, with Shift
 * all from the last one ticked, a period opens its menu, e the row itself, Space shows it beside the list, Delete deletes
 * it or what is ticked, [ and ] turn pages, c begins something new. Returns whether the key did anything.
 */
export function pressInList(key: string): boolean {
  const page = main();
  if (!page) return false;
  const row = document.activeElement?.closest("tbody tr");
  if (key === "j" || key === "k") return step(page, row, key === "j" ? 1 : -1);
  const selected = key === "Delete" ? page.querySelector<HTMLElement>(REMOVE_SELECTED) : null;
  const place = IN_ROW[key] ? row?.querySelector<HTMLElement>(IN_ROW[key]) : undefined;
  const there = ON_PAGE[key] ? page.querySelector<HTMLElement>(ON_PAGE[key]) : undefined;
  return press(selected ?? place ?? there, key.startsWith("Shift "));
}

/** Presses "Undo" of the toast that is shown. Returns whether there is one. */
export function undoLatest(): boolean {
  return press(document.querySelector<HTMLElement>(UNDO));
}

/** The keys that do something on the page as it is, for one row or another. */
export function keysOfPage(): ReadonlySet<string> {
  const page = main();
  const works = ([, place]: [string, string]) => page?.querySelector(place);
  const inRow = Object.entries(IN_ROW).map(([key, place]): [string, string] => [
    key,
    `tbody tr :is(${place})`,
  ]);
  const keys = [...inRow, ...Object.entries(ON_PAGE)].filter(works).map(([key]) => key);
  return new Set([...keys, ...(page && rowsOf(page).length > 0 ? ["j"] : [])]);
}

function press(element: HTMLElement | null | undefined, shiftKey = false): boolean {
  element?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey }));
  return Boolean(element);
}

/** Rows with what opens them; those that nothing opens are passed over. */
function rowsOf(page: HTMLElement) {
  return [...page.querySelectorAll<HTMLElement>("tbody tr")].flatMap((each) => {
    const opener = each.querySelector<HTMLElement>(OPENER);
    return opener?.checkVisibility() ? [{ each, opener }] : [];
  });
}

/** Focuses what opens the next row, or the first one. */
function step(page: HTMLElement, row: Element | null | undefined, by: 1 | -1): boolean {
  const rows = rowsOf(page);
  const at = rows.findIndex(({ each }) => each === row);
  const next = at < 0 ? rows.at(by > 0 ? 0 : -1) : rows[at + by];
  next?.opener.focus();
  return next !== undefined;
}
