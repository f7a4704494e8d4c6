import type { ReactNode } from "react";
import { Interactive } from "@/components/shell/interactive";

/** Layout of signed-out pages, and of pages between sign-in and panel. */
export default function SignedOutLayout({ children }: { children: ReactNode }) {
  return <Interactive>{children}</Interactive>;
}
