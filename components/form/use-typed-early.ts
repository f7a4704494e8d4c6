import { useEffect, useState } from "react";
import { useHydrating } from "@/components/ui/use-hydrating";

/**
 * What a person or a password manager typed into the server's HTML before the scripts loaded: hydration would erase
 * it. It is read in the first render and restored by name.
 */
export function useTypedEarly(restore: (name: string, value: string | boolean) => void): void {
  // True only during hydration: after a soft navigation the previous page is still in the document.
  const hydrating = useHydrating();
  const [early] = useState(() => (hydrating && typeof document !== "undefined" ? typed() : []));
  // biome-ignore lint/correctness/useExhaustiveDependencies: given back once
  useEffect(() => {
    for (const [name, value] of early) restore(name, value);
  }, []);
}

type Typed = [name: string, value: string | boolean];

function typed(): Typed[] {
  const controls = document.querySelectorAll<HTMLInputElement>("form input[name], form textarea[name]");
  return [...controls].flatMap((control): Typed[] => {
    const { name, type, value, checked } = control;
    if (type === "checkbox") return checked === control.defaultChecked ? [] : [[name, checked]];
    return type === "hidden" || value === control.defaultValue ? [] : [[name, value]];
  });
}
