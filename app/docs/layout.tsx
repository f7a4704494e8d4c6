import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { PublicFrame } from "@/components/docs/public-frame";
import { parseTheme } from "@/components/ui/preference";
import { getCurrentUser } from "@/server/transports/trpc/caller";
import { getPageBrand, toBrandProps } from "../brand";

/** Frame of the public reference. The panel shows the reference at /developers/docs. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const [profile, cookieStore, brand] = await Promise.all([getCurrentUser(), cookies(), getPageBrand()]);
  return (
    <PublicFrame
      brand={toBrandProps(brand)}
      theme={parseTheme(cookieStore.get("theme")?.value)}
      isSignedIn={profile !== null}
    >
      {children}
    </PublicFrame>
  );
}
