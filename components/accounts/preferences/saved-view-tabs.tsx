"use client";

import { BookmarkPlus, Ellipsis, Pencil, Trash2 } from "lucide-react";
import type { Route } from "next";
import { usePathname, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { api, call } from "@/components/api/client";
import { useRemoval } from "@/components/form/use-removal";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { getPreloadProps, lazyPart } from "@/components/ui/lazy-part";
import { LinkTab } from "@/components/ui/link-tab";
import { Menu, MenuItem } from "@/components/ui/menu";
import { SkeletonRows } from "@/components/ui/skeleton";
import { TabRow } from "@/components/ui/tab-row";
import { type SavedViewList, toCanonicalQuery } from "@/server/domains/accounts/preferences/policy";
import type { SavedView } from "./saved-view";

const NewViewForm = lazyPart(() => import("./view-forms").then((file) => file.NewViewForm), {
  loading: () => <SkeletonRows rowCount={1} />,
});
const RenameViewForm = lazyPart(() => import("./view-forms").then((file) => file.RenameViewForm), {
  loading: () => <SkeletonRows rowCount={1} />,
});

/** Saved views of a list as tabs, after "All". The query of the page decides which one is open. */
export function SavedViewTabs({ list }: { list: SavedViewList }) {
  const t = useTranslations("savedViews");
  const pathname = usePathname() as Route;
  const pageQuery = useViewQuery();
  const { data } = api.preferences.listViews.useQuery({ query: { list } });
  const views = data?.views ?? [];
  const [form, setForm] = useState<"new" | SavedView>();
  const root = useRef<HTMLDivElement>(null);
  const canSave = data && pageQuery && !views.some(({ query }) => query === pageQuery);

  const closeForm = () => setForm(undefined);
  const hadForm = useRef(false);
  useEffect(() => {
    // The opener is gone once the view is saved.
    if (hadForm.current && !form)
      root.current?.querySelector<HTMLElement>("[data-opens-form], [aria-current]")?.focus();
    hadForm.current = form !== undefined;
  }, [form]);

  return (
    <div ref={root} className="-mt-4 mb-4 border-border border-b">
      <div className="flex items-center gap-4 px-5">
        <TabRow flush label={t("title")} currentKey={pageQuery + views.length}>
          <LinkTab href={pathname} current={!pageQuery} scroll={false}>
            {t("all")}
          </LinkTab>
          {views.map((view) => {
            const isCurrent = view.query === pageQuery;
            return (
              <span key={view.id} className="flex shrink-0 items-center">
                <LinkTab href={`${pathname}?${view.query}` as Route} current={isCurrent} scroll={false}>
                  <bdi className="max-w-60 truncate" title={view.name}>
                    {view.name}
                  </bdi>
                </LinkTab>
                {isCurrent ? <ViewMenu view={view} onRename={() => setForm(view)} /> : null}
              </span>
            );
          })}
        </TabRow>
        {canSave && form !== "new" ? (
          <Button
            data-opens-form
            size="sm"
            variant="ghost"
            icon={<BookmarkPlus />}
            {...getPreloadProps(NewViewForm)}
            onClick={() => setForm("new")}
          >
            {t("save")}
          </Button>
        ) : null}
      </div>
      {form ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: Escape works in every control of the form
        <div
          className="px-5 pt-3 pb-4"
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.stopPropagation();
            closeForm();
          }}
        >
          {form === "new" ? (
            <NewViewForm list={list} query={pageQuery} onDone={closeForm} />
          ) : (
            <RenameViewForm key={form.id} view={form} onDone={closeForm} />
          )}
        </div>
      ) : null}
    </div>
  );
}

/** Query of the page as views store it. Open previews and forms do not belong to a view. */
function useViewQuery(): string {
  const params = new URLSearchParams(useSearchParams());
  for (const name of ["peek", "edit"]) params.delete(name);
  return toCanonicalQuery(params.toString());
}

function ViewMenu({ view, onRename }: { view: SavedView; onRename: () => void }) {
  const t = useTranslations("savedViews");
  const utils = api.useUtils();
  const removal = useRemoval<SavedView>({
    remove: ({ id }) => call.preferences.removeView.mutate({ params: { id: String(id) } }),
    // No record refers to a view, so undo can save it again with a new ID.
    restore: ({ list, name, query }) => call.preferences.createView.mutate({ body: { list, name, query } }),
    refresh: () => utils.preferences.listViews.invalidate(),
    toastText: () => t("deleted", { name: view.name }),
  });
  return (
    <Menu
      align="start"
      trigger={
        <IconButton
          size="sm"
          icon={<Ellipsis />}
          label={t("menu", { name: view.name })}
          working={removal.isPending}
          tooltip={false}
        />
      }
    >
      <MenuItem icon={<Pencil />} opens={RenameViewForm} onSelect={onRename}>
        {t("rename")}
      </MenuItem>
      <MenuItem icon={<Trash2 />} danger onSelect={() => void removal.run([view])}>
        {t("remove")}
      </MenuItem>
    </Menu>
  );
}
