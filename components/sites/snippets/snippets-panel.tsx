"use client";

import { Plus, TextQuote, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, call } from "@/components/api/client";
import { ListCard, listTexts } from "@/components/api/list-card";
import { type PageOptions, usePage } from "@/components/api/use-page";
import { useRemoval } from "@/components/form/use-removal";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { actionColumn } from "@/components/ui/data-table";
import { Drawer } from "@/components/ui/drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { IconButton } from "@/components/ui/icon-button";
import { PageHeader } from "@/components/ui/page-header";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import { BulkBar } from "../media/bulk-bar";
import { snippetParsers } from "./list-view";
import type { SnippetRow } from "./types";

const SnippetForm = dynamic(() => import("./snippet-form").then((file) => file.SnippetForm), { ssr: false });

type Page = PageOptions<typeof snippetParsers, SnippetRow>;

const useSnippets: Page["useRows"] = (input, options) =>
  api.snippets.list.useQuery({ query: input }, options) as never;

export function SnippetsPanel({ first }: { first: Page["firstPage"] }) {
  const t = useTranslations("snippets");
  const list = usePage(snippetParsers, { firstPage: first, useRows: useSnippets });
  const removal = useSnippetRemoval();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const selectedSnippets = list.table.rows.filter(({ id, can_edit }) => can_edit && selected.has(String(id)));
  const [editor, setEditor] = useState<{ snippet?: SnippetRow; key: number }>({ key: 0 });
  const [open, setOpen] = useState(false);
  const openEditor = (snippet?: SnippetRow) => {
    setEditor({ snippet, key: editor.key + 1 });
    setOpen(true);
  };
  const createButton = (
    <Button data-create variant="primary" icon={<Plus />} onClick={() => openEditor()}>
      {t("create")}
    </Button>
  );
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} actions={createButton} />
      <ListCard
        list={list}
        texts={listTexts(t)}
        rowKey={({ id }) => String(id)}
        selection={{
          selected,
          onChange: setSelected,
          rowLabel: ({ title }) => t("choose", { title }),
        }}
        bulk={
          <BulkBar
            count={selectedSnippets.length}
            labels={{
              selected: t("chosen", { count: selectedSnippets.length }),
              remove: t("deleteChosen", { count: selectedSnippets.length }),
              clear: t("chooseNone"),
            }}
            working={removal.isPending}
            onRemove={() => void removal.press(selectedSnippets)}
            onClear={() => setSelected(new Set())}
          />
        }
        filters={[
          {
            name: "file",
            label: t("file"),
            all: t("allFiles"),
            options: [{ value: "missing", label: t("fileMissing") }],
          },
        ]}
        empty={<EmptyState icon={<TextQuote />} title={t("empty")} />}
        columns={[
          {
            id: "title",
            header: t("name"),
            sortable: true,
            primary: true,
            cell: ({ title, body }) => (
              <span className="flex min-w-0 flex-col sm:py-2">
                <bdi className="wrap-anywhere font-medium">{title}</bdi>
                <bdi className="line-clamp-1 wrap-anywhere font-normal text-compact text-fg-muted">
                  {body}
                </bdi>
              </span>
            ),
          },
          {
            id: "shortcut",
            header: t("shortcut"),
            cell: ({ shortcut }) => (shortcut ? <Ltr mono>{shortcut}</Ltr> : null),
          },
          {
            id: "file",
            header: t("file"),
            cell: ({ media, file_missing: missing }) =>
              missing ? (
                <StatusChip tone="warning">{t("fileMissing")}</StatusChip>
              ) : media ? (
                <bdi className="wrap-anywhere">{media.name}</bdi>
              ) : null,
          },
          {
            id: "updated",
            header: t("updated"),
            minTableWidth: "medium",
            cell: ({ updated_at }) => <Time value={updated_at} show="date" />,
          },
          actionColumn(t("actions"), (snippet: SnippetRow) =>
            snippet.can_edit ? (
              <span className="flex items-center justify-end gap-1">
                <Button data-edit size="sm" about={snippet.title} onClick={() => openEditor(snippet)}>
                  {t("editButton")}
                </Button>
                <IconButton
                  data-remove
                  size="sm"
                  label={`${t("delete")}: ${snippet.title}`}
                  icon={<Trash2 />}
                  onClick={() => void removal.press([snippet])}
                />
              </span>
            ) : null,
          ),
        ]}
      />
      <Drawer open={open} onOpenChange={setOpen} title={t(editor.snippet ? "edit" : "create")}>
        <SnippetForm key={editor.key} snippet={editor.snippet} onSaved={() => setOpen(false)} />
      </Drawer>
    </>
  );
}

function useSnippetRemoval() {
  const t = useTranslations("snippets");
  const utils = api.useUtils();
  const toParams = ({ id }: SnippetRow) => ({ id: String(id) });
  return useRemoval<SnippetRow>({
    remove: (snippet) => call.snippets.remove.mutate({ params: toParams(snippet), query: { undo: "true" } }),
    restore: (snippet) => call.snippets.restore.mutate({ params: toParams(snippet) }),
    refresh: () => Promise.all([utils.snippets.invalidate(), utils.media.invalidate()]),
    toastText: (removed) =>
      removed.length === 1
        ? t("deleted", { title: removed[0]!.title })
        : t("deletedMany", { count: removed.length }),
  });
}
