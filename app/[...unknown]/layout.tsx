import dynamic from "next/dynamic";
import { getCurrentUser } from "@/server/transports/trpc/caller";

/** Loaded on demand, so that signed-out visitors do not load the panel. */
const SignedInPanel = dynamic(() => import("../(panel)/signed-in-panel").then((file) => file.SignedInPanel));

export default async function UnknownLayout({ children }: LayoutProps<"/[...unknown]">) {
  const profile = await getCurrentUser();
  return profile ? <SignedInPanel profile={profile}>{children}</SignedInPanel> : children;
}
