import { useEffect, useState, useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * What a person, or a password manager, wrote into the server's form before the scripts came: hydration would
 * wipe it. It is read in the first render and given back by name.
 */
export function useTypedEarly(restore: (name: string, value: string | boolean) => void): void {
  // True only while server HTML is taken over: after a soft navigation the page before is still in the document.
  const hydrating = useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
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
