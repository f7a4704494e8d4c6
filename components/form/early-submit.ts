/** Marks a form that was submitted before its scripts ran. */
const HELD = "aria-busy";

/**
 * Runs in every page before its other scripts. No page takes a POST, so a form without an action waits until React handles it,
 * with everything that was typed.
 */
export const HOLD_SUBMITS = `addEventListener("submit",function(e){var f=e.target;if(!e.defaultPrevented&&f.getAttribute("method")==="post"&&!f.hasAttribute("action")){e.preventDefault();f.setAttribute("${HELD}","true")}})`;

/** Submits a form that was held, once what was typed into it is restored. Returns how to cancel that. */
export function submitHeld(form: HTMLFormElement | null): (() => void) | undefined {
  if (!form?.hasAttribute(HELD)) return undefined;
  const timer = window.setTimeout(() => {
    form.removeAttribute(HELD);
    form.requestSubmit();
  });
  return () => window.clearTimeout(timer);
}
