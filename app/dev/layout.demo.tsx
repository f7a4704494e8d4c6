import type { ReactNode } from "react";
import { Interactive } from "@/components/shell/interactive";

/** Layout of the demo pages. */
export default function DemoLayout({ children }: { children: ReactNode }) {
  return <Interactive>{children}</Interactive>;
}
