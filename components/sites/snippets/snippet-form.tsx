"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { api, call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import {
  BODY_LENGTH_MAX,
  SHORTCUT_LENGTH_MAX,
  TITLE_LENGTH_MAX,
} from "@/server/domains/sites/snippets/policy";
import { MediaPicker } from "../media/media-picker";
import { Thumbnail } from "../media/thumbnail";
import type { SnippetRow } from "./types";

interface StoredSnippet {
  title: string;
  shortcut: string | null;
  body: string;
  media_file_id: number | null;
}

const LOOKUP_DELAY_MS = 300;
/** Mirrors the contract; 32 is SHORTCUT_LENGTH_MAX. */
const SHORTCUT_PATTERN = /^[\p{L}\p{N}_-]{1,32}$/u;

const EMPTY_SNIPPET: StoredSnippet = { title: "", shortcut: null, body: "", media_file_id: null };

export function SnippetForm({ snippet, onSaved }: { snippet?: SnippetRow; onSaved: () => void }) {
  const t = useTranslations("snippets");
  const utils = api.useUtils();
  const [chosenFile, setChosenFile] = useState(snippet?.media ?? null);
  const [isPicking, setIsPicking] = useState(false);
  const stored = snippet ? toStoredValues(snippet) : EMPTY_SNIPPET;
  const form = useStoredForm(() => import("./forms").then((file) => file.snippetForm), {
    stored,
    toFormValues: ({ title, shortcut, body, media_file_id }) => ({
      title,
      shortcut: shortcut ?? "",
      body,
      media_file_id,
    }),
    submit: (body, expected) =>
      snippet
        ? call.snippets.update.mutate({ params: { id: String(snippet.id) }, body: { ...body, expected } })
        : call.snippets.create.mutate({ body }),
    onSuccess: async () => {
      // Wait for the new data, so that the form shows it when opened again immediately.
      await Promise.all([utils.snippets.invalidate(), utils.media.invalidate()]);
      onSaved();
    },
  });
  const chooseFile = (file: SnippetRow["media"]) => {
    setChosenFile(file);
    form.setValue("media_file_id", file?.id ?? null, { shouldDirty: true });
  };
  const bodyText = form.watch("body");
  const clashingTitle = useShortcutClash(form.watch("shortcut"), snippet?.id);
  return (
    <OperationForm form={form}>
      <FormField name="title" label={t("name")} maxLength={TITLE_LENGTH_MAX} />
      <FormField
        name="shortcut"
        label={t("shortcut")}
        hint={clashingTitle ? <ShortcutTaken title={clashingTitle} /> : t("shortcutHint")}
        optional
        maxLength={SHORTCUT_LENGTH_MAX}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <FormField name="body" label={t("body")} as="textarea" dir="auto" rows={5} max={BODY_LENGTH_MAX} />
      {snippet?.file_missing && !chosenFile ? (
        <FormAlert tone="warning">{t("fileMissingText")}</FormAlert>
      ) : null}
      <FormField name="media_file_id" label={t("file")} optional group>
        {() => (
          <div className="flex flex-col gap-3">
            {chosenFile ? (
              <div className="flex items-center gap-3">
                <Thumbnail file={chosenFile} />
                <bdi className="wrap-anywhere min-w-0 text-sm">{chosenFile.name}</bdi>
              </div>
            ) : null}
            <div className="flex flex-wrap gap-3">
              <Button size="sm" onClick={() => setIsPicking(true)}>
                {t("chooseFile")}
              </Button>
              {chosenFile ? (
                <Button size="sm" onClick={() => chooseFile(null)}>
                  {t("removeFile")}
                </Button>
              ) : null}
            </div>
          </div>
        )}
      </FormField>
      {bodyText || chosenFile ? (
        <section aria-label={t("preview")} className="flex flex-col gap-2">
          <h3 className="font-medium text-sm">{t("preview")}</h3>
          <div className="flex max-w-80 flex-col gap-2 rounded-card bg-primary-soft p-3 text-sm">
            {chosenFile ? (
              <span className="w-24">
                <Thumbnail file={chosenFile} size="lg" />
              </span>
            ) : null}
            <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
              {bodyText}
            </p>
          </div>
        </section>
      ) : null}
      <SubmitButton block>{t("save")}</SubmitButton>
      {isPicking ? <MediaPicker open={isPicking} onOpenChange={setIsPicking} onChoose={chooseFile} /> : null}
    </OperationForm>
  );
}

function ShortcutTaken({ title }: { title: string }) {
  const t = useTranslations("snippets");
  return (
    <span role="status" className="text-danger-text">
      {t.rich("shortcutTaken", { title, b: (name) => <bdi>{name}</bdi> })}
    </span>
  );
}

function useShortcutClash(
  typedShortcut: string | null | undefined,
  ownId: number | undefined,
): string | undefined {
  const trimmedShortcut = (typedShortcut ?? "").trim();
  const [debouncedShortcut, setDebouncedShortcut] = useState(trimmedShortcut);
  useEffect(() => {
    const timer = window.setTimeout(() => setDebouncedShortcut(trimmedShortcut), LOOKUP_DELAY_MS);
    return () => window.clearTimeout(timer);
  }, [trimmedShortcut]);
  const query = { shortcut: debouncedShortcut, per_page: "1" };
  const result = api.snippets.list.useQuery(
    { query },
    { enabled: SHORTCUT_PATTERN.test(debouncedShortcut), retry: false },
  );
  const otherSnippet = debouncedShortcut === trimmedShortcut ? result.data?.snippets[0] : undefined;
  return otherSnippet && otherSnippet.id !== ownId ? otherSnippet.title : undefined;
}

function toStoredValues({ title, shortcut, body, media_file_id }: SnippetRow): StoredSnippet {
  return { title, shortcut, body, media_file_id };
}
