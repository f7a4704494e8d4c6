"use client";

import { clsx } from "clsx";
import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";

export interface TabRowProps {
  label: string;
  children: ReactNode;
  /** Changes with the current tab if the path does not. */
  currentKey?: string;
  /** In a row that has its own border and margin. */
  flush?: boolean;
}

export function TabRow({ label, children, currentKey, flush }: TabRowProps) {
  const row = useRef<HTMLElement>(null);
  const path = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link changes with the path or the key
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>("[aria-current]");
    if (!row.current || !current) return;
    const getMiddle = (box: DOMRect) => box.left + box.width / 2;
    row.current.scrollLeft +=
      getMiddle(current.getBoundingClientRect()) - getMiddle(row.current.getBoundingClientRect());
  }, [path, currentKey]);
  return (
    <nav
      ref={row}
      aria-label={label}
      className={clsx(
        "flex gap-6 overflow-x-auto [scrollbar-width:none]",
        flush ? "min-w-0 flex-1" : "mb-8 border-border border-b",
      )}
    >
      {children}
    </nav>
  );
}
