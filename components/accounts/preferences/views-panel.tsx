"use client";

import { Pencil, Trash2 } from "lucide-react";
import type { Route } from "next";
import { usePathname, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { useRemoval } from "@/components/form/use-removal";
import { AppLink } from "@/components/ui/app-link";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { IconButton } from "@/components/ui/icon-button";
import { SkeletonRows } from "@/components/ui/skeleton";
import {
  MAX_VIEW_NAME_LENGTH,
  type SavedViewList,
  toCanonicalQuery,
} from "@/server/domains/accounts/preferences/policy";

interface View {
  id: number;
  list: SavedViewList;
  name: string;
  query: string;
}

export function ViewsPanel({ list, onChosen }: { list: SavedViewList; onChosen: () => void }) {
  const t = useTranslations("savedViews");
  const pageQuery = toCanonicalQuery(useSearchParams().toString());
  const viewsQuery = api.preferences.listViews.useQuery({ query: { list } });
  if (viewsQuery.isError) return <ErrorState onRetry={() => void viewsQuery.refetch()} />;
  if (!viewsQuery.data) return <SkeletonRows rowCount={3} />;
  return (
    <div className="flex flex-col gap-6">
      {viewsQuery.data.count === 0 ? (
        <p className="text-fg-muted text-sm">{t("none")}</p>
      ) : (
        <ul className="divide-y divide-border">
          {viewsQuery.data.views.map((view) => (
            <ViewRow key={view.id} view={view} isCurrent={view.query === pageQuery} onChosen={onChosen} />
          ))}
        </ul>
      )}
      {pageQuery ? (
        <NewView list={list} query={pageQuery} />
      ) : (
        <p className="text-fg-muted text-sm">{t("nothing")}</p>
      )}
    </div>
  );
}

function ViewRow({ view, isCurrent, onChosen }: { view: View; isCurrent: boolean; onChosen: () => void }) {
  const t = useTranslations("savedViews");
  const pathname = usePathname();
  const utils = api.useUtils();
  const [isRenaming, setRenaming] = useState(false);
  const removal = useRemoval<View>({
    remove: ({ id }) => call.preferences.removeView.mutate({ params: { id: String(id) } }),
    // No record refers to a view, so undo can save it again with a new ID.
    restore: ({ list, name, query }) => call.preferences.createView.mutate({ body: { list, name, query } }),
    refresh: () => utils.preferences.listViews.invalidate(),
    toastText: () => t("deleted", { name: view.name }),
  });
  if (isRenaming)
    return (
      <li className="py-3">
        <RenameView view={view} onDone={() => setRenaming(false)} />
      </li>
    );
  return (
    <li className="flex items-center gap-2 py-1.5">
      <AppLink
        href={`${pathname}?${view.query}` as Route}
        aria-current={isCurrent ? "true" : undefined}
        onClick={onChosen}
        className="wrap-anywhere flex min-h-11 flex-1 items-center text-sm hover:underline aria-[current]:font-semibold"
      >
        <bdi>{view.name}</bdi>
      </AppLink>
      <IconButton
        size="sm"
        icon={<Pencil />}
        label={t("rename", { name: view.name })}
        onClick={() => setRenaming(true)}
      />
      <IconButton
        size="sm"
        icon={<Trash2 />}
        label={t("remove", { name: view.name })}
        working={removal.isPending}
        onClick={() => void removal.run([view])}
      />
    </li>
  );
}

function RenameView({ view, onDone }: { view: View; onDone: () => void }) {
  const t = useTranslations("savedViews");
  const utils = api.useUtils();
  const form = useOperationForm(() => import("./forms").then((file) => file.renameViewForm), {
    defaultValues: { name: view.name },
    submit: (body) => call.preferences.renameView.mutate({ params: { id: String(view.id) }, body }),
    onSuccess: async () => {
      await utils.preferences.listViews.invalidate();
      onDone();
    },
  });
  return (
    <OperationForm form={form}>
      <FormField name="name" label={t("name")} maxLength={MAX_VIEW_NAME_LENGTH} autoFocus />
      <div className="flex gap-2">
        <SubmitButton>{t("keep")}</SubmitButton>
        <Button onClick={onDone}>{t("cancel")}</Button>
      </div>
    </OperationForm>
  );
}

function NewView({ list, query }: { list: SavedViewList; query: string }) {
  const t = useTranslations("savedViews");
  const utils = api.useUtils();
  const form = useOperationForm(() => import("./forms").then((file) => file.createViewForm), {
    defaultValues: { name: "" },
    submit: ({ name }) => call.preferences.createView.mutate({ body: { list, name, query } }),
    onSuccess: async () => {
      form.reset({ name: "" });
      await utils.preferences.listViews.invalidate();
    },
  });
  return (
    <OperationForm form={form}>
      <FormField
        name="name"
        label={t("name")}
        hint={t("hint")}
        maxLength={MAX_VIEW_NAME_LENGTH}
        autoComplete="off"
      />
      <SubmitButton block>{t("save")}</SubmitButton>
    </OperationForm>
  );
}
