/** Calls `callback` once with the first visible match in `main`, now or later. Returns a cancel function. */
export function whenVisible(selector: string, callback: (element: HTMLElement) => void): () => void {
  const main = document.querySelector("main");
  if (!main) return () => {};
  const observer = new MutationObserver(checkElement);
  function checkElement() {
    const element = main!.querySelector<HTMLElement>(selector);
    // A page that is still streaming contains hidden parts.
    if (!element?.checkVisibility()) return;
    observer.disconnect();
    callback(element);
  }
  observer.observe(main, { childList: true, subtree: true, attributes: true });
  checkElement();
  return () => observer.disconnect();
}
