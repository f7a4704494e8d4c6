import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { PublicFrame } from "@/components/docs/public-frame";
import { themeOf } from "@/components/ui/preference";
import { currentUser } from "@/server/transports/trpc/caller";
import { brandOfPage, brandPropsOf } from "../brand";

/** Frame of the public reference. The panel shows the reference at /developers/docs. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const [profile, jar, brand] = await Promise.all([currentUser(), cookies(), brandOfPage()]);
  return (
    <PublicFrame
      brand={brandPropsOf(brand)}
      theme={themeOf(jar.get("theme")?.value)}
      signedIn={profile !== null}
    >
      {children}
    </PublicFrame>
  );
}
