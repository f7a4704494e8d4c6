import type { ReactNode } from "react";
import { ClientMessages } from "@/components/shell/client-messages";

/**
 * The reference in the panel may ask for a proof of identity before it creates a key to try operations with.
 */
export default function PanelDocsLayout({ children }: { children: ReactNode }) {
  return <ClientMessages namespaces={["identity", "auth"]}>{children}</ClientMessages>;
}
