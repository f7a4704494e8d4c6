import { type RefObject, useEffect, useEffectEvent, useRef } from "react";

const FIELD_SELECTOR = ["input:not([type=hidden])", "textarea", "select"]
  .map((each) => `${each}:not([tabindex="-1"], [aria-hidden="true"])`)
  .join();

interface Options {
  open: boolean;
  popup: RefObject<HTMLElement | null>;
  /** Returns the element to focus on open; default: the first field. */
  initial?: () => HTMLElement | null | undefined;
  /** Returns the element to focus on close; true: the previous one, false: none. */
  final: () => HTMLElement | boolean;
}

/** Moves the focus synchronously: Base UI waits for an animation, when keys reach the wrong element. */
export function usePopupFocus({ open, popup, initial, final }: Options) {
  const previousFocus = useRef<HTMLElement>(null);

  function initialFocus(interaction: string): HTMLElement | boolean {
    const { activeElement, body } = document;
    previousFocus.current =
      activeElement instanceof HTMLElement && activeElement !== body ? activeElement : null;
    // On touch, focusing a field would open the keyboard over the popup.
    if (!initial && interaction === "touch") return true;
    const target = initial ? initial() : popup.current?.querySelector<HTMLElement>(FIELD_SELECTOR);
    target?.focus({ preventScroll: true });
    if (!target && popup.current) focusFirstFieldLater(popup.current);
    return target ?? true;
  }

  function finalFocus(): HTMLElement | boolean {
    if (!isFocusInside(popup.current)) return false;
    const target = final();
    return (target === true && previousFocus.current?.isConnected && previousFocus.current) || target;
  }

  const returnFocus = useEffectEvent(() => {
    const { activeElement } = document;
    if (!(activeElement instanceof HTMLElement) || !popup.current?.contains(activeElement)) return;
    const target = finalFocus();
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    // Keys must reach the page, not a field that fades out.
    else activeElement.blur();
  });
  useEffect(() => {
    // In a microtask, when Base UI no longer hides the page from screen readers.
    if (!open) queueMicrotask(returnFocus);
  }, [open]);

  return { initialFocus, finalFocus };
}

function isFocusInside(popup: HTMLElement | null): boolean {
  const { activeElement, body } = document;
  return !activeElement || activeElement === body || Boolean(popup?.contains(activeElement));
}

function focusFirstFieldLater(popup: HTMLElement): void {
  const observer = new MutationObserver(() => {
    const field = popup.querySelector<HTMLElement>(FIELD_SELECTOR);
    if (!field) return;
    observer.disconnect();
    const { activeElement } = document;
    if (activeElement === popup || activeElement === popup.querySelector("button")) field.focus();
  });
  observer.observe(popup, { childList: true, subtree: true });
}
