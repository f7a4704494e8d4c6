"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";

export function TabRow({ label, children }: { label: string; children: ReactNode }) {
  const row = useRef<HTMLElement>(null);
  const path = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link changes with the page
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>("[aria-current]");
    if (!row.current || !current) return;
    const getMiddle = (box: DOMRect) => box.left + box.width / 2;
    row.current.scrollLeft +=
      getMiddle(current.getBoundingClientRect()) - getMiddle(row.current.getBoundingClientRect());
  }, [path]);
  return (
    <nav
      ref={row}
      aria-label={label}
      className="mb-8 flex gap-6 overflow-x-auto border-border border-b [scrollbar-width:none]"
    >
      {children}
    </nav>
  );
}
