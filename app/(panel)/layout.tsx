import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { SignedInPanel } from "./signed-in-panel";
import { requireSignIn } from "./viewer";

export default async function PanelLayout({ children }: { children: ReactNode }) {
  const profile = await requireSignIn();
  return (
    <SignedInPanel profile={profile}>
      <NuqsAdapter>{children}</NuqsAdapter>
    </SignedInPanel>
  );
}
