import type { ReactNode } from "react";
import { InteractiveProviders } from "@/components/shell/interactive-providers";

export default function SignedOutLayout({ children }: { children: ReactNode }) {
  return <InteractiveProviders>{children}</InteractiveProviders>;
}
