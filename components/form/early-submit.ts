const HELD_ATTRIBUTE = "aria-busy";

/** Inline script of pages with forms: holds submits until React handles them. No page accepts a POST. */
export const HOLD_SUBMITS_SCRIPT = `addEventListener("submit",function(e){var f=e.target;if(!e.defaultPrevented&&f.getAttribute("method")==="post"&&!f.hasAttribute("action")){e.preventDefault();f.setAttribute("${HELD_ATTRIBUTE}","true")}})`;

/** Submits a held form in the next task, after its typed values are restored. Returns a cancel function. */
export function submitHeldForm(form: HTMLFormElement | null): (() => void) | undefined {
  if (!form?.hasAttribute(HELD_ATTRIBUTE)) return undefined;
  const timer = window.setTimeout(() => {
    form.removeAttribute(HELD_ATTRIBUTE);
    form.requestSubmit();
  });
  return () => window.clearTimeout(timer);
}
