"use client";

import { Printer } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button";

export function PrintButton({ children }: { children: ReactNode }) {
  return (
    <span data-print="never">
      <Button size="sm" icon={<Printer />} onClick={() => window.print()}>
        {children}
      </Button>
    </span>
  );
}
