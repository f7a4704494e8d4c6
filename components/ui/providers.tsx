"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import { DirectionProvider } from "@base-ui/react/direction-provider";
import type { ReactNode } from "react";
import { FocusKeeper } from "./focus-keeper";
import { Toasts } from "./toast";

export function UiProviders({ direction, children }: { direction: "ltr" | "rtl"; children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={direction}>
        {children}
        <Toasts />
        <FocusKeeper />
      </DirectionProvider>
    </CSPProvider>
  );
}
