import { useCallback, useEffect, useLayoutEffect, useState } from "react";
import { useHydrating } from "@/components/ui/use-hydrating";

type RestoreValue = (name: string, value: string | boolean) => void;

/** Restores values entered before hydration, which erases them. Returns a function that repeats this. */
export function useEarlyInput(restore: RestoreValue): () => void {
  // Only during hydration: after a soft navigation the document still contains the previous page.
  const isHydrating = useHydrating();
  const [earlyValues] = useState(
    () => new Map(isHydrating && typeof document !== "undefined" ? readTypedValues() : []),
  );
  useBrowserLayoutEffect(() => {
    if (isHydrating) for (const [name, value] of readTypedValues()) earlyValues.set(name, value);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every `restore` is equivalent
  const restoreAll = useCallback(() => {
    for (const [name, value] of earlyValues) restore(name, value);
  }, [earlyValues]);
  useEffect(restoreAll, [restoreAll]);
  return restoreAll;
}

/** React warns about layout effects on the server. */
const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

type TypedValue = [name: string, value: string | boolean];

function readTypedValues(): TypedValue[] {
  const controls = document.querySelectorAll<HTMLInputElement>("form input[name], form textarea[name]");
  return [...controls].flatMap((control): TypedValue[] => {
    const { name, type, value, checked, defaultChecked, defaultValue } = control;
    if (type === "checkbox") return checked === defaultChecked ? [] : [[name, checked]];
    if (type === "radio") return checked && !defaultChecked ? [[name, value]] : [];
    return type === "hidden" || value === defaultValue ? [] : [[name, value]];
  });
}
