import dynamic from "next/dynamic";
import { me } from "@/server/transports/trpc/caller";

/** Visitors do not load the panel. */
const SignedIn = dynamic(() => import("../(panel)/signed-in").then((file) => file.SignedIn));

/** An address without a page keeps the panel around it for whoever is signed in. */
export default async function UnknownLayout({ children }: LayoutProps<"/[...unknown]">) {
  const profile = await me();
  return profile ? <SignedIn profile={profile}>{children}</SignedIn> : children;
}
