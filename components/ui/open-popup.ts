/**
 * Open or opening popups that take the keyboard. Excludes popups that are closing, toasts and docked drawers (they
 * have the role `dialog` but are not modal) and listboxes of the page itself, such as the media grid.
 */
const OPEN_POPUP_SELECTOR =
  ":is([role=dialog]:not([data-docked]), [role=alertdialog], [role=menu], [role=listbox]:not(main *), [data-opening]):not([data-closed], [data-closed] *, [data-toast])";

export const hasOpenPopup = (): boolean => document.querySelector(OPEN_POPUP_SELECTOR) !== null;
