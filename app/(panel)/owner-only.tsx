import type { ComponentProps } from "react";
import { ForbiddenState } from "@/components/ui/forbidden-state";
import { panel } from "@/server/transports/trpc/caller";

/** In place of a page that agents have nothing on: why, and the name and address of whoever can change that. */
export async function OwnerOnly(props: Omit<ComponentProps<typeof ForbiddenState>, "contact">) {
  const { api } = await panel();
  const { owner } = await api.team.owner();
  return <ForbiddenState heading="h1" contact={owner ?? undefined} {...props} />;
}
