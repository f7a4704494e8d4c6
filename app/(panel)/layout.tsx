import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { SignedIn } from "./signed-in";
import { signedIn } from "./viewer";

/** All pages that need a signed-in person. */
export default async function PanelLayout({ children }: { children: ReactNode }) {
  const profile = await signedIn();
  return (
    <SignedIn profile={profile}>
      <NuqsAdapter>{children}</NuqsAdapter>
    </SignedIn>
  );
}
