"use client";

import { useTranslations } from "next-intl";
import { useAction } from "@/components/form/use-action";
import { AlertDialog } from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { type Column, DataTable } from "@/components/ui/data-table";
import { PersonName } from "@/components/ui/person-name";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";

interface InvitationRow {
  id: number;
  name: string;
  email: string;
  expired: boolean;
  expires_at: string;
}

interface InvitationActions {
  resend: (input: { params: { id: string } }) => Promise<object>;
  cancel: (input: { params: { id: string } }) => Promise<object>;
  refresh: () => Promise<unknown>;
}

interface InvitationsTableProps<Invitation extends InvitationRow> {
  invitations: readonly Invitation[];
  columns?: readonly Column<Invitation>[];
  useInvitationActions: () => InvitationActions;
}

export function InvitationsTable<Invitation extends InvitationRow>({
  invitations,
  columns = [],
  useInvitationActions,
}: InvitationsTableProps<Invitation>) {
  const t = useTranslations("team");
  const allColumns: Column<Invitation>[] = [
    {
      id: "name",
      header: t("column.name"),
      isCardTitle: true,
      cell: ({ name, email }) => (
        <PersonName email={email}>
          <bdi className="font-medium">{name}</bdi>
        </PersonName>
      ),
    },
    ...columns,
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
      cell: (invitation) => (
        <InvitationButtons invitation={invitation} useInvitationActions={useInvitationActions} />
      ),
    },
  ];
  return (
    <Card title={t("invitations.title")} description={t("invitations.text")} flush>
      <DataTable
        caption={t("invitations.title")}
        columns={allColumns}
        rows={invitations}
        rowKey={({ id }) => String(id)}
      />
    </Card>
  );
}

function InvitationButtons({
  invitation,
  useInvitationActions,
}: {
  invitation: InvitationRow;
  useInvitationActions: () => InvitationActions;
}) {
  const t = useTranslations("team.invitations");
  const { id, name } = invitation;
  const invitationActions = useInvitationActions();
  const input = { params: { id: String(id) } };
  const onSuccess = invitationActions.refresh;
  const resend = useAction(() => invitationActions.resend(input), { onSuccess });
  const cancel = useAction(() => invitationActions.cancel(input), { onSuccess });
  return (
    <span className="flex flex-wrap justify-end gap-2">
      <Button size="sm" working={resend.isPending} labelSuffix={name} onClick={resend.run}>
        {t("resend")}
      </Button>
      <AlertDialog
        trigger={
          <Button size="sm" labelSuffix={name}>
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
