import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { SignedIn } from "./signed-in";
import { signedIn } from "./viewer";

/** Layout of all pages that require a sign-in. */
export default async function PanelLayout({ children }: { children: ReactNode }) {
  const profile = await signedIn();
  return (
    <SignedIn profile={profile}>
      <NuqsAdapter>{children}</NuqsAdapter>
    </SignedIn>
  );
}
