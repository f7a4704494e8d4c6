import dynamic from "next/dynamic";
import { currentUser } from "@/server/transports/trpc/caller";

/** Loaded on demand, so that visitors do not load the panel. */
const SignedIn = dynamic(() => import("../(panel)/signed-in").then((file) => file.SignedIn));

/** Shows "not found" inside the panel when signed in. */
export default async function UnknownLayout({ children }: LayoutProps<"/[...unknown]">) {
  const profile = await currentUser();
  return profile ? <SignedIn profile={profile}>{children}</SignedIn> : children;
}
