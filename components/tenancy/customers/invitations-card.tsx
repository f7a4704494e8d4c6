"use client";

import { api, call } from "@/components/api/client";
import { InvitationsTable } from "@/components/tenancy/team/invitations-table";
import type { Invitations } from "./types";

export function CustomerInvitationsCard({ initialInvitations }: { initialInvitations: Invitations }) {
  const { data } = api.customers.listInvitations.useQuery(undefined, { initialData: initialInvitations });
  if (data.invitations.length === 0) return null;
  return (
    <div id="invitations" className="scroll-mt-24">
      <InvitationsTable invitations={data.invitations} useInvitationActions={useInvitationActions} />
    </div>
  );
}

function useInvitationActions() {
  const utils = api.useUtils();
  return {
    resend: call.customers.resendInvitation.mutate,
    cancel: call.customers.cancelInvitation.mutate,
    refresh: () => utils.customers.listInvitations.invalidate(),
  };
}
