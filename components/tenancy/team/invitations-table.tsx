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

interface Row {
  id: number;
  name: string;
  email: string;
  expired: boolean;
  expires_at: string;
}

interface InvitationCalls {
  resend: (input: { params: { id: string } }) => Promise<object>;
  cancel: (input: { params: { id: string } }) => Promise<object>;
  refresh: () => Promise<unknown>;
}

interface InvitationsTableProps<Invitation extends Row> {
  invitations: readonly Invitation[];
  columns?: readonly Column<Invitation>[];
  /** A hook, called in each row. */
  useCalls: () => InvitationCalls;
}

export function InvitationsTable<Invitation extends Row>({
  invitations,
  columns = [],
  useCalls,
}: InvitationsTableProps<Invitation>) {
  const t = useTranslations("team");
  const allColumns: Column<Invitation>[] = [
    {
      id: "name",
      header: t("column.name"),
      primary: true,
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
      cell: (invitation) => <Actions invitation={invitation} useCalls={useCalls} />,
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

function Actions({ invitation, useCalls }: { invitation: Row; useCalls: () => InvitationCalls }) {
  const t = useTranslations("team.invitations");
  const { id, name } = invitation;
  const calls = useCalls();
  const input = { params: { id: String(id) } };
  const onSuccess = calls.refresh;
  const resend = useAction(() => calls.resend(input), { onSuccess });
  const cancel = useAction(() => calls.cancel(input), { onSuccess });
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
