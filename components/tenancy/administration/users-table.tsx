"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { api } from "@/components/api/client";
import { ListCard, listWords } from "@/components/api/list-card";
import { type PageOptions, usePage } from "@/components/api/use-page";
import { userParsers } from "./list-view";
import { ROLES, type UserRow } from "./types";
import { useUserColumns } from "./use-user-columns";
import { UserDrawer } from "./user-drawer";

type Users = PageOptions<typeof userParsers, UserRow>;

// The options' rows may come without `meta`, which this list always has.
const useUsers: Users["useRows"] = (input, options) =>
  api.administration.listUsers.useQuery({ query: input }, options as never);

/** All accounts, page by page; each opens in a drawer. `self` is the reader, whose own role stays. */
export function UsersTable({ first, self }: { first: Users["first"]; self: number }) {
  const t = useTranslations("admin");
  const list = usePage(userParsers, { first, useRows: useUsers });
  const [shown, setShown] = useState<UserRow>();
  const [open, setOpen] = useState(false);
  const columns = useUserColumns((user) => {
    setShown(user);
    setOpen(true);
  });

  return (
    <>
      <ListCard
        list={list}
        words={listWords(t)}
        columns={columns}
        rowKey={(user) => String(user.id)}
        filters={[
          {
            name: "role",
            label: t("column.role"),
            all: t("filter.roles"),
            options: ROLES.map((role) => ({ value: role, label: t(`role.${role}`) })),
          },
          {
            name: "is_active",
            label: t("column.state"),
            all: t("filter.states"),
            options: [
              { value: "true", label: t("state.active") },
              { value: "false", label: t("state.passive") },
            ],
          },
        ]}
      />
      {shown ? (
        <UserDrawer key={shown.id} user={shown} self={self} open={open} onOpenChange={setOpen} />
      ) : null}
    </>
  );
}
