"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import { DirectionProvider } from "@base-ui/react/direction-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import type { ReactNode } from "react";
import { FocusKeeper } from "./focus-keeper";
import { ToastProvider } from "./toast";

/** Context for the UI primitives: reading direction, nonce, tooltips, toasts. Once, in the root layout. */
export function UiProviders({
  direction,
  nonce,
  children,
}: {
  direction: "ltr" | "rtl";
  nonce?: string;
  children: ReactNode;
}) {
  return (
    <CSPProvider nonce={nonce} disableStyleElements>
      <DirectionProvider direction={direction}>
        <Tooltip.Provider delay={400}>
          <ToastProvider>{children}</ToastProvider>
          <FocusKeeper />
        </Tooltip.Provider>
      </DirectionProvider>
    </CSPProvider>
  );
}
