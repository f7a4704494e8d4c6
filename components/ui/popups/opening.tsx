/** Stands for a popup while its code is loaded: the keys of the page pause. */
export function Opening() {
  return <span data-opening hidden />;
}
