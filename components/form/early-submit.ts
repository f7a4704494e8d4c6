const HELD = "aria-busy";

/** Inline script of every page: holds submits until React handles them, because no page accepts a POST. */
export const HOLD_SUBMITS = `addEventListener("submit",function(e){var f=e.target;if(!e.defaultPrevented&&f.getAttribute("method")==="post"&&!f.hasAttribute("action")){e.preventDefault();f.setAttribute("${HELD}","true")}})`;

/** Submits a held form after its typed values are restored. Returns a function that cancels. */
export function submitHeld(form: HTMLFormElement | null): (() => void) | undefined {
  if (!form?.hasAttribute(HELD)) return undefined;
  const timer = window.setTimeout(() => {
    form.removeAttribute(HELD);
    form.requestSubmit();
  });
  return () => window.clearTimeout(timer);
}
