import dynamic from "next/dynamic";
import { cookies } from "next/headers";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { type ReactNode, Suspense } from "react";
import { PublicFrame } from "@/components/docs/public-frame";
import { ListSkeleton } from "@/components/shell/page-skeleton";
import { themeOf } from "@/components/ui/preference";
import { env } from "@/server/core/env";
import { me } from "@/server/transports/trpc/caller";

/** Visitors do not load the panel. */
const SignedIn = dynamic(() => import("../(panel)/signed-in").then((file) => file.SignedIn));

/** The reference is public; signed-in readers keep the panel around it. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  const [profile, jar] = await Promise.all([me(), cookies()]);
  const content = <NuqsAdapter>{children}</NuqsAdapter>;
  // Visitors read it without scripts, too, which take a skeleton away.
  if (profile)
    return (
      <SignedIn profile={profile}>
        <Suspense fallback={<ListSkeleton />}>{content}</Suspense>
      </SignedIn>
    );
  return (
    <PublicFrame brand={env().APP_NAME} theme={themeOf(jar.get("theme")?.value)}>
      {content}
    </PublicFrame>
  );
}
