import { expect, type Page } from "@playwright/test";
import { open } from "./fixtures";

/** Opens an address and translates the page and later changes, as a browser does. */
export async function openTranslated(page: Page, address: string): Promise<void> {
  await open(page, address);
  await page.evaluate(translate);
  await expect(page.locator("font").first()).toBeAttached();
}

/** Nests each text node in two `<font>` elements, as browsers do, so that React's nodes are gone. */
function translate(): void {
  const isTranslatable = ({ data, parentElement }: Text) =>
    data.trim() !== "" && parentElement !== null && !parentElement.closest("font, script, style, textarea");
  const observer = new MutationObserver((mutations) => {
    for (const { target, addedNodes } of mutations)
      for (const node of target instanceof Text ? [target] : addedNodes) wrapTextsIn(node);
  });
  function wrapTextsIn(root: Node): void {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const textNodes = root instanceof Text ? [root] : [];
    while (walker.nextNode()) textNodes.push(walker.currentNode as Text);
    for (const text of textNodes.filter(isTranslatable)) {
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.append(text.data);
      outer.append(inner);
      text.replaceWith(outer);
    }
  }
  wrapTextsIn(document.body);
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
}
