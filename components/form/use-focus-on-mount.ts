import { useEffect } from "react";

/**
 * Focuses a field on mount, unless the user is typing in another one. Not on touch devices, where the keyboard would
 * cover the form.
 */
export function useFocusOnMount<Name extends string>(
  { setFocus }: { setFocus: (name: Name) => void },
  name: Name | undefined,
) {
  useEffect(() => {
    const isTyping = document.activeElement?.matches("input, textarea, select");
    if (name && !isTyping && window.matchMedia("(pointer: fine)").matches) setFocus(name);
  }, [setFocus, name]);
}
