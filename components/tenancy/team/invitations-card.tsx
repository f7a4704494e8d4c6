"use client";

import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { InvitationsTable } from "./invitations-table";
import type { Invitation } from "./types";

export function InvitationsCard({ invitations }: { invitations: readonly Invitation[] }) {
  const t = useTranslations("team");
  return (
    <InvitationsTable
      invitations={invitations}
      columns={[
        {
          id: "role",
          header: t("column.role"),
          cell: ({ site }) => (site ? <bdi>{t("agentOf", { site: site.name })}</bdi> : t("role.subUser")),
        },
      ]}
      useInvitationActions={useInvitationActions}
    />
  );
}

function useInvitationActions() {
  const utils = api.useUtils();
  return {
    resend: call.team.resend.mutate,
    cancel: call.team.cancel.mutate,
    refresh: () => utils.team.list.invalidate(),
  };
}
