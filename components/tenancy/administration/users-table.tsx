"use client";

import { Search, SearchX } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api } from "@/components/api/client";
import { PageTable } from "@/components/api/page-table";
import { type PageOptions, usePage } from "@/components/api/use-page";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Input } from "@/components/ui/input";
import { NativeSelect } from "@/components/ui/native-select";
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
  const { view, total, table, narrow, clear } = usePage(userParsers, { first, useRows: useUsers });
  const [shown, setShown] = useState<UserRow>();
  const [open, setOpen] = useState(false);
  const columns = useUserColumns((user) => {
    setShown(user);
    setOpen(true);
  });

  return (
    <Card flush>
      <div className="flex flex-col gap-3 px-5 pb-4">
        <search className="flex flex-wrap gap-3">
          <div className="min-w-56 flex-1">
            <Input
              type="search"
              aria-label={t("search")}
              placeholder={t("search")}
              before={<Search />}
              size="sm"
              value={view.q}
              onChange={(event) => narrow({ q: event.target.value || null })}
            />
          </div>
          <div className="w-44 max-sm:flex-1">
            <NativeSelect
              aria-label={t("column.role")}
              size="sm"
              value={view.role ?? "all"}
              onValueChange={(value) => narrow({ role: value === "all" ? null : value })}
              options={[
                { value: "all", label: t("filter.roles") },
                ...ROLES.map((role) => ({ value: role, label: t(`role.${role}`) })),
              ]}
            />
          </div>
          <div className="w-44 max-sm:flex-1">
            <NativeSelect
              aria-label={t("column.state")}
              size="sm"
              value={view.is_active ?? "all"}
              onValueChange={(value) => narrow({ is_active: value === "all" ? null : value })}
              options={[
                { value: "all", label: t("filter.states") },
                { value: "true", label: t("state.active") },
                { value: "false", label: t("state.passive") },
              ]}
            />
          </div>
        </search>
        <p role="status" className="min-h-5 text-compact text-fg-muted">
          {total === undefined ? null : t("found", { count: total })}
        </p>
      </div>
      <PageTable
        caption={t("title")}
        columns={columns}
        rowKey={(user) => String(user.id)}
        {...table}
        empty={
          <EmptyState
            icon={<SearchX />}
            title={t("noMatch")}
            action={<Button onClick={clear}>{t("clear")}</Button>}
          >
            {t("noMatchText")}
          </EmptyState>
        }
      />
      {shown ? (
        <UserDrawer key={shown.id} user={shown} self={self} open={open} onOpenChange={setOpen} />
      ) : null}
    </Card>
  );
}
