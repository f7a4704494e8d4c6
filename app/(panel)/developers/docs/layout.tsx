import type { ReactNode } from "react";
import { ClientMessages } from "@/components/shell/client-messages";

/** Messages for the proof of identity that creating a temporary key requires. */
export default function PanelDocsLayout({ children }: { children: ReactNode }) {
  return <ClientMessages namespaces={["identity", "auth"]}>{children}</ClientMessages>;
}
