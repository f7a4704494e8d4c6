import { useEffect } from "react";

/** Focuses a field on mount. Not on touch devices, where the keyboard would cover the form. */
export function useFocusOnMount<Name extends string>(
  { setFocus }: { setFocus: (name: Name) => void },
  name: Name,
) {
  useEffect(() => {
    if (window.matchMedia("(pointer: fine)").matches) setFocus(name);
  }, [setFocus, name]);
}
