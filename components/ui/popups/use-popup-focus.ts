import { type RefObject, useEffect, useEffectEvent, useRef } from "react";

const FIELD_SELECTOR = ["input:not([type=hidden])", "textarea", "select", "[role=combobox]"]
  .map((each) => `${each}:not([tabindex="-1"], [aria-hidden="true"])`)
  .join();

interface Options {
  open: boolean;
  popup: RefObject<HTMLElement | null>;
  /** Returns the element to focus on open; default: the first field. */
  getInitialTarget?: () => HTMLElement | null | undefined;
  /** Returns the element to focus on close; true: the previous one, false: none. */
  getFinalTarget: () => HTMLElement | boolean;
}

/**
 * Moves the focus immediately. Base UI would wait for an animation, and keys typed until then would reach
 * the wrong element. Base UI names the returned functions; for it, true means its default and false no move.
 */
export function usePopupFocus({ open, popup, getInitialTarget, getFinalTarget }: Options) {
  const previousFocus = useRef<HTMLElement>(null);
  const stopWaitingForField = useRef<() => void>(undefined);

  function initialFocus(interaction: string): HTMLElement | boolean {
    const { activeElement, body } = document;
    previousFocus.current =
      activeElement instanceof HTMLElement && activeElement !== body ? activeElement : null;
    // On touch, focusing a field would open the keyboard over the popup.
    if (!getInitialTarget && interaction === "touch") return true;
    const target = getInitialTarget
      ? getInitialTarget()
      : popup.current?.querySelector<HTMLElement>(FIELD_SELECTOR);
    target?.focus({ preventScroll: true });
    if (!target && popup.current) stopWaitingForField.current = focusFirstFieldLater(popup.current);
    return target ?? true;
  }

  function finalFocus(): HTMLElement | boolean {
    if (!isFocusInside(popup.current)) return false;
    const target = getFinalTarget();
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
    if (!open) stopWaitingForField.current?.();
    // Wait for a microtask: until then Base UI hides the page from screen readers.
    if (!open) queueMicrotask(returnFocus);
  }, [open]);

  return { initialFocus, finalFocus };
}

function isFocusInside(popup: HTMLElement | null): boolean {
  const { activeElement, body } = document;
  return !activeElement || activeElement === body || Boolean(popup?.contains(activeElement));
}

/** Focuses the first field that appears, unless the user has moved on. Returns a function that stops waiting. */
function focusFirstFieldLater(popup: HTMLElement): () => void {
  const observer = new MutationObserver(() => {
    const field = popup.querySelector<HTMLElement>(FIELD_SELECTOR);
    if (!field) return;
    observer.disconnect();
    const { activeElement } = document;
    if (activeElement === popup || activeElement === popup.querySelector("button")) field.focus();
  });
  observer.observe(popup, { childList: true, subtree: true });
  return () => observer.disconnect();
}
