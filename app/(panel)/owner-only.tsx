import type { ComponentProps } from "react";
import { ForbiddenState } from "@/components/ui/forbidden-state";
import { getPanelCaller } from "@/server/transports/trpc/caller";

/** Replaces a page that agents may not use, with the contact of their owner. */
export async function OwnerOnlyNotice(props: Omit<ComponentProps<typeof ForbiddenState>, "contact">) {
  const { api } = await getPanelCaller();
  const { owner } = await api.team.owner();
  return <ForbiddenState heading="h1" contact={owner ?? undefined} {...props} />;
}
