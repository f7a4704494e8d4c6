"use client";

import type { Route } from "next";
import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { InvitationsTable } from "@/components/tenancy/team/invitations-table";
import { TextLink } from "@/components/ui/text-link";
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
      <TextLink href={"#invitations" as Route}>{t("invited", { count })}</TextLink>
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
