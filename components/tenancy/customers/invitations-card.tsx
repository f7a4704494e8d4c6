"use client";

import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { InvitationsTable } from "@/components/tenancy/team/invitations-table";
import type { Invitations } from "./types";

interface InvitationsProps {
  initialInvitations: Invitations;
}

const useInvitations = (initialData: Invitations) =>
  api.customers.listInvitations.useQuery(undefined, { initialData });

/** Leads from the top of a long list of customers to the invitations below it. */
export function OpenInvitationsLink({ initialInvitations }: InvitationsProps) {
  const t = useTranslations("customers");
  const count = useInvitations(initialInvitations).data.invitations.length;
  if (count === 0) return null;
  return (
    <p className="text-sm">
      <a
        href="#invitations"
        className="rounded-control font-medium text-primary-text underline decoration-primary-text/35 underline-offset-4"
      >
        {t("invited", { count })}
      </a>
    </p>
  );
}

export function CustomerInvitationsCard({ initialInvitations }: InvitationsProps) {
  const { data } = useInvitations(initialInvitations);
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
