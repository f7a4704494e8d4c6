import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { PublicFrame } from "@/components/docs/public-frame";
import { themeOf } from "@/components/ui/preference";
import { me } from "@/server/transports/trpc/caller";
import { brandOfPage, lookOf } from "../brand";

/** Frame of the public reference. The panel shows the reference at /developers/docs. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const [profile, jar, brand] = await Promise.all([me(), cookies(), brandOfPage()]);
  return (
    <PublicFrame brand={lookOf(brand)} theme={themeOf(jar.get("theme")?.value)} signedIn={profile !== null}>
      {children}
    </PublicFrame>
  );
}
