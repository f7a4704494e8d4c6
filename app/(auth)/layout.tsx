import type { ReactNode } from "react";
import { Interactive } from "@/components/shell/interactive";

export default function SignedOutLayout({ children }: { children: ReactNode }) {
  return <Interactive>{children}</Interactive>;
}
