/** Calls back once with what the page shows under a selector, now or as soon as it does. Returns what ends the wait. */
export function whenShown(selector: string, then: (element: HTMLElement) => void): () => void {
  const main = document.querySelector("main");
  if (!main) return () => {};
  const observer = new MutationObserver(look);
  function look() {
    const element = main!.querySelector<HTMLElement>(selector);
    // A page that is still being completed has its parts already, hidden.
    if (!element?.checkVisibility()) return;
    observer.disconnect();
    then(element);
  }
  observer.observe(main, { childList: true, subtree: true, attributes: true });
  look();
  return () => observer.disconnect();
}
