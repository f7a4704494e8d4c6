"use client";

import { Plus, TextQuote, Trash2 } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, call } from "@/components/api/client";
import { EmptyList } from "@/components/api/empty-list";
import { buildListTexts, ListCard } from "@/components/api/list-card";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import { useAction } from "@/components/form/use-action";
import { useRemoval } from "@/components/form/use-removal";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { createActionColumn } from "@/components/ui/data-table";
import { Drawer } from "@/components/ui/drawer";
import { IconButton } from "@/components/ui/icon-button";
import { getPreloadProps, lazyPart } from "@/components/ui/lazy-part";
import { PageHeader } from "@/components/ui/page-header";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import { BulkBar } from "../media/bulk-bar";
import { snippetParsers } from "./list-view";
import type { SnippetRow } from "./types";

const SnippetForm = lazyPart(() => import("./snippet-form").then((file) => file.SnippetForm));

type SnippetPages = PagedListOptions<typeof snippetParsers, SnippetRow>;

const useSnippetRows: SnippetPages["useRows"] = (input, options) =>
  api.snippets.list.useQuery({ query: input }, options) as never;

export function SnippetsPanel({ firstPage }: { firstPage: SnippetPages["firstPage"] }) {
  const t = useTranslations("snippets");
  const list = usePagedList(snippetParsers, { firstPage, useRows: useSnippetRows });
  const removal = useSnippetRemoval();
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const selectedSnippets = list.table.rows.filter(
    ({ id, can_edit }) => can_edit && selectedIds.has(String(id)),
  );
  const [editor, setEditor] = useState<{ snippet?: SnippetRow; key: number }>({ key: 0 });
  const [isEditorOpen, setIsEditorOpen] = useState(false);
  const openEditor = (snippet?: SnippetRow) => {
    setEditor({ snippet, key: editor.key + 1 });
    setIsEditorOpen(true);
  };
  const createButton = (
    <Button
      {...getPreloadProps(SnippetForm)}
      data-create
      variant="primary"
      icon={<Plus />}
      onClick={() => openEditor()}
    >
      {t("create")}
    </Button>
  );
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} actions={createButton} />
      <ListCard
        list={list}
        texts={buildListTexts(t)}
        rowKey={({ id }) => String(id)}
        selection={{
          selected: selectedIds,
          onChange: setSelectedIds,
          rowLabel: ({ title }) => t("choose", { title }),
          canSelect: ({ can_edit }) => can_edit,
        }}
        bulkActions={
          <BulkBar
            count={selectedSnippets.length}
            labels={{
              selected: t("chosen", { count: selectedSnippets.length }),
              remove: t("deleteChosen", { count: selectedSnippets.length }),
              clear: t("chooseNone"),
            }}
            working={removal.isPending}
            onRemove={() => void removal.run(selectedSnippets)}
            onClear={() => setSelectedIds(new Set())}
          />
        }
        filters={[
          {
            name: "file",
            label: t("file"),
            allLabel: t("allFiles"),
            options: [{ value: "missing", label: t("fileMissing") }],
          },
        ]}
        emptyState={
          <EmptyList
            icon={<TextQuote />}
            title={t("empty")}
            createLabel={t("emptyAction")}
            action={<SampleSnippet />}
            guide={"/developers/docs/snippets" as Route}
          >
            {t("emptyText")}
          </EmptyList>
        }
        columns={[
          {
            id: "title",
            header: t("name"),
            sortable: true,
            isCardTitle: true,
            cell: (snippet) => (
              <span className="flex min-w-0 flex-col items-start sm:py-2">
                {snippet.can_edit ? (
                  <button
                    type="button"
                    data-edit
                    onClick={() => openEditor(snippet)}
                    className="wrap-anywhere rounded-control text-start font-medium hover:text-primary-text hover:underline hover:underline-offset-4"
                  >
                    <bdi>{snippet.title}</bdi>
                  </button>
                ) : (
                  <bdi className="wrap-anywhere font-medium">{snippet.title}</bdi>
                )}
                <bdi className="line-clamp-1 wrap-anywhere font-normal text-compact text-fg-muted">
                  {snippet.body}
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
          createActionColumn(t("actions"), (snippet: SnippetRow) =>
            snippet.can_edit ? (
              <IconButton
                data-remove
                size="sm"
                label={`${t("delete")}: ${snippet.title}`}
                icon={<Trash2 />}
                onClick={() => void removal.run([snippet])}
              />
            ) : null,
          ),
        ]}
      />
      <Drawer
        open={isEditorOpen}
        onOpenChange={setIsEditorOpen}
        title={t(editor.snippet ? "edit" : "create")}
      >
        <SnippetForm key={editor.key} snippet={editor.snippet} onSaved={() => setIsEditorOpen(false)} />
      </Drawer>
    </>
  );
}

function SampleSnippet() {
  const t = useTranslations("snippets.sample");
  const utils = api.useUtils();
  const add = useAction(
    () =>
      call.snippets.create.mutate({
        body: { title: t("title"), shortcut: t("shortcut"), body: t("body"), media_file_id: null },
      }),
    { onSuccess: () => utils.snippets.invalidate() },
  );
  return (
    <Button working={add.isPending} onClick={() => void add.run()}>
      {t("add")}
    </Button>
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
    toastText: (removedSnippets) =>
      removedSnippets.length === 1
        ? t("deleted", { title: removedSnippets[0]!.title })
        : t("deletedMany", { count: removedSnippets.length }),
  });
}
