import type { ReactNode } from "react";
import { ApiProvider } from "@/components/api/client";
import { PanelSession } from "@/components/api/session";

/** Signed-out pages: the panel's procedures, and the session provider. */
export default function SignedOutLayout({ children }: { children: ReactNode }) {
  return (
    <PanelSession>
      <ApiProvider>{children}</ApiProvider>
    </PanelSession>
  );
}
