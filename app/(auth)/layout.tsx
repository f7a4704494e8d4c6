import type { ReactNode } from "react";
import { Interactive } from "@/components/shell/interactive";

/** Signed-out pages, and those between signing in and the panel. */
export default function SignedOutLayout({ children }: { children: ReactNode }) {
  return <Interactive>{children}</Interactive>;
}
