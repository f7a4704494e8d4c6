import type { ReactNode } from "react";
import { ClientMessages } from "@/components/shell/client-messages";

/** Adds the messages for the proof of identity that a temporary key with all abilities requires. */
export default function PanelDocsLayout({ children }: { children: ReactNode }) {
  return <ClientMessages namespaces={["identity", "auth"]}>{children}</ClientMessages>;
}
