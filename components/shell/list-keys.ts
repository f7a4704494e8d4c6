/** What a row is opened by: its first link or button. */
const OPENER = "a[href], button:not(:disabled)";
/** What a page begins something new with. */
export const CREATE = "[data-create]:not(:disabled)";

/**
 * The keys of a list, on what the page shows: j and k go to the next row and the one before, x ticks the row, a period
 * opens its menu, [ and ] turn pages, c begins something new. Returns whether the key did anything.
 */
export function pressInList(key: string): boolean {
  const main = document.getElementsByTagName("main")[0];
  if (!main) return false;
  const row = document.activeElement?.closest("tbody tr");
  const press = (element: HTMLElement | null | undefined) => {
    element?.click();
    return Boolean(element);
  };
  switch (key) {
    case "j":
    case "k":
      return step(main, row, key === "j" ? 1 : -1);
    case "x":
      return press(row?.querySelector<HTMLElement>("input[type=checkbox]:not(:disabled)"));
    case ".":
      return press(row?.querySelector<HTMLElement>("[aria-haspopup=menu]"));
    case "[":
    case "]": {
      const turn = key === "[" ? "first-child" : "last-child";
      return press(main.querySelector<HTMLElement>(`[data-pages] > :${turn}:not(:disabled)`));
    }
    case "c":
      return press(main.querySelector<HTMLElement>(CREATE));
    default:
      return false;
  }
}

/** Focuses what opens the next row, or the first one; rows that nothing opens are passed over. */
function step(main: HTMLElement, row: Element | null | undefined, by: 1 | -1): boolean {
  const rows = [...main.querySelectorAll<HTMLElement>("tbody tr")].flatMap((each) => {
    const opener = each.querySelector<HTMLElement>(OPENER);
    return opener?.checkVisibility() ? [{ each, opener }] : [];
  });
  const at = rows.findIndex(({ each }) => each === row);
  const next = at < 0 ? rows.at(by > 0 ? 0 : -1) : rows[at + by];
  next?.opener.focus();
  return next !== undefined;
}
