/** Calls `then` once with the first visible match in `main`, now or later. Returns a cancel function. */
export function whenVisible(selector: string, then: (element: HTMLElement) => void): () => void {
  const main = document.querySelector("main");
  if (!main) return () => {};
  const observer = new MutationObserver(check);
  function check() {
    const element = main!.querySelector<HTMLElement>(selector);
    // A page that is still streaming contains hidden parts.
    if (!element?.checkVisibility()) return;
    observer.disconnect();
    then(element);
  }
  observer.observe(main, { childList: true, subtree: true, attributes: true });
  check();
  return () => observer.disconnect();
}
