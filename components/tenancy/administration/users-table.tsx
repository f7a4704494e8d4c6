"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { SavedViewTabs } from "@/components/accounts/preferences/saved-view-tabs";
import { api } from "@/components/api/client";
import { CsvLink } from "@/components/api/csv-link";
import { buildListTexts, ListCard } from "@/components/api/list-card";
import { RowPreview, useRowPreview } from "@/components/api/row-preview";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import { getAccountPath } from "@/components/billing/records/admin-paths";
import { BulkUsers } from "./bulk-users";
import { buildUsersCsvPath, userListParsers } from "./list-view";
import { ROLES, type UserRow } from "./types";
import { useUserColumns } from "./use-user-columns";
import { UserPeek } from "./user-peek";

type UserPageOptions = PagedListOptions<typeof userListParsers, UserRow>;

const useUsers: UserPageOptions["useRows"] = (input, options) =>
  api.administration.listUsers.useQuery({ query: input }, options);

export function UsersTable({
  firstPage,
  viewerId,
}: {
  firstPage: UserPageOptions["firstPage"];
  viewerId: number;
}) {
  const t = useTranslations("admin");
  const list = usePagedList(userListParsers, { firstPage, useRows: useUsers });
  const [previewKey, openPreview] = useRowPreview();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { view } = list;
  const selectedUsers = list.table.rows.filter(({ id }) => selected.has(String(id)));
  const columns = useUserColumns(({ id }) => openPreview(String(id)));

  return (
    <>
      <ListCard
        list={list}
        texts={buildListTexts(t)}
        columns={columns}
        rowKey={getUserKey}
        currentKey={previewKey}
        selection={{
          selected,
          onChange: setSelected,
          rowLabel: ({ name }) => t("bulk.choose", { name }),
        }}
        periodFilter={{ from: "created_from", to: "created_to", label: t("column.created") }}
        bulkActions={<BulkUsers selectedUsers={selectedUsers} onClear={() => setSelected(new Set())} />}
        views={<SavedViewTabs list="users" />}
        actions={<CsvLink href={buildUsersCsvPath(view)}>{t("csv")}</CsvLink>}
        chips={
          view.reseller_id
            ? [
                {
                  id: "reseller_id",
                  label: t("filter.ofReseller", { id: view.reseller_id }),
                  onRemove: () => list.setFilters({ reseller_id: null }),
                },
              ]
            : []
        }
        filters={[
          {
            name: "role",
            label: t("column.role"),
            allLabel: t("filter.roles"),
            options: ROLES.map((role) => ({ value: role, label: t(`role.${role}`) })),
          },
          buildFlagFilter("is_active", t("column.state"), {
            allLabel: t("filter.states"),
            yes: t("state.active"),
            no: t("state.passive"),
          }),
          buildFlagFilter("verified", t("column.email"), {
            allLabel: t("filter.verified"),
            yes: t("filter.verifiedYes"),
            no: t("filter.verifiedNo"),
          }),
          buildFlagFilter("two_factor", t("column.twoFactor"), {
            allLabel: t("filter.twoFactor"),
            yes: t("filter.twoFactorYes"),
            no: t("filter.twoFactorNo"),
          }),
          {
            name: "anonymised",
            label: t("filter.deletedLabel"),
            allLabel: t("filter.living"),
            options: [{ value: "true", label: t("filter.deleted") }],
          },
          buildFlagFilter("protected", t("filter.protectedLabel"), {
            allLabel: t("filter.protected"),
            yes: t("filter.protectedYes"),
            no: t("filter.protectedNo"),
          }),
        ]}
      />
      <RowPreview
        rows={list.table.rows}
        rowKey={getUserKey}
        title={({ name }) => name}
        href={({ id }) => getAccountPath(id)}
      >
        {(user, close) => <UserPeek user={user} viewerId={viewerId} onSaved={close} />}
      </RowPreview>
    </>
  );
}

const getUserKey = ({ id }: UserRow) => String(id);

function buildFlagFilter(
  name: string,
  label: string,
  { allLabel, yes, no }: Record<"allLabel" | "yes" | "no", string>,
) {
  const options = [
    { value: "true", label: yes },
    { value: "false", label: no },
  ];
  return { name, label, allLabel, options };
}
