import { useCallback, useEffect, useLayoutEffect, useState } from "react";
import { useHydrating } from "@/components/ui/use-hydrating";

type Restore = (name: string, value: string | boolean) => void;

/**
 * What a person or a password manager typed into the server's HTML before the scripts loaded: hydration would erase
 * it. It is read until hydration ends, and restored by name. Returns how to restore it again, over a draft.
 */
export function useTypedEarly(restore: Restore): () => void {
  // True only during hydration: after a soft navigation the previous page is still in the document.
  const hydrating = useHydrating();
  const [early] = useState(() => new Map(hydrating && typeof document !== "undefined" ? typed() : []));
  // On a slow phone, people go on typing while React renders.
  useBrowserLayoutEffect(() => {
    if (hydrating) for (const [name, value] of typed()) early.set(name, value);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first `restore` is as good as any
  const again = useCallback(() => {
    for (const [name, value] of early) restore(name, value);
  }, [early]);
  useEffect(again, [again]);
  return again;
}

/** React warns of layout effects on the server. */
const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

type Typed = [name: string, value: string | boolean];

function typed(): Typed[] {
  const controls = document.querySelectorAll<HTMLInputElement>("form input[name], form textarea[name]");
  return [...controls].flatMap((control): Typed[] => {
    const { name, type, value, checked, defaultChecked, defaultValue } = control;
    if (type === "checkbox") return checked === defaultChecked ? [] : [[name, checked]];
    if (type === "radio") return checked && !defaultChecked ? [[name, value]] : [];
    return type === "hidden" || value === defaultValue ? [] : [[name, value]];
  });
}
