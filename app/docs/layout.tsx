import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { PublicFrame } from "@/components/docs/public-frame";
import { themeOf } from "@/components/ui/preference";
import { env } from "@/server/core/env";
import { me } from "@/server/transports/trpc/caller";

/** The reference for everybody; the panel has it at /developers/docs. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const [profile, jar] = await Promise.all([me(), cookies()]);
  return (
    <PublicFrame brand={env().APP_NAME} theme={themeOf(jar.get("theme")?.value)} signedIn={profile !== null}>
      {children}
    </PublicFrame>
  );
}
