"use client";

import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { type Column, DataTable } from "@/components/ui/data-table";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Invitation, Invitations } from "./types";

/** Invitations that nobody has accepted yet; nothing while there are none. */
export function InvitationsCard({ initial }: { initial: Invitations }) {
  const t = useTranslations("team");
  const { data } = api.customers.listInvitations.useQuery(undefined, { initialData: initial });
  if (data.invitations.length === 0) return null;
  const columns: Column<Invitation>[] = [
    {
      id: "name",
      header: t("column.name"),
      primary: true,
      cell: ({ name, email }) => (
        <span className="wrap-anywhere flex flex-col items-start sm:py-2">
          <bdi className="font-medium">{name}</bdi>
          <span className="font-normal text-fg-muted text-sm">
            <Ltr>{email}</Ltr>
          </span>
        </span>
      ),
    },
    {
      id: "state",
      header: t("invitations.validUntil"),
      cell: ({ expired, expires_at }) =>
        expired ? (
          <StatusChip tone="warning">{t("invitations.expired")}</StatusChip>
        ) : (
          <Time value={expires_at} show="dateTime" />
        ),
    },
    {
      id: "actions",
      header: t("column.actions"),
      align: "end",
      cell: (invitation) => <Actions invitation={invitation} />,
    },
  ];
  return (
    <Card title={t("invitations.title")} description={t("invitations.text")} flush>
      <DataTable
        caption={t("invitations.title")}
        columns={columns}
        rows={data.invitations}
        rowKey={({ id }) => String(id)}
      />
    </Card>
  );
}

function Actions({ invitation: { id, name } }: { invitation: Invitation }) {
  const t = useTranslations("team.invitations");
  const utils = api.useUtils();
  const resending = api.customers.resendInvitation.useMutation();
  const cancelling = api.customers.cancelInvitation.useMutation();
  const params = { id: String(id) };
  const onSuccess = () => utils.customers.listInvitations.invalidate();
  const resend = useAction(() => resending.mutateAsync({ params }), { onSuccess });
  const cancel = useAction(() => cancelling.mutateAsync({ params }), { onSuccess });
  return (
    <span className="flex flex-wrap justify-end gap-2">
      <Button size="sm" working={resend.working} about={name} onClick={resend.press}>
        {t("resend")}
      </Button>
      <AlertDialog
        trigger={
          <Button size="sm" about={name}>
            {t("cancel")}
          </Button>
        }
        title={t.rich("cancelTitle", { name: () => <bdi>{name}</bdi> })}
        description={t("cancelText")}
        confirmLabel={t("cancelConfirm")}
        onConfirm={cancel.attempt}
      />
    </span>
  );
}
