"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { api, call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import { BODY_MAX, SHORTCUT_MAX, TITLE_MAX } from "@/server/domains/sites/snippets/policy";
import { MediaPicker } from "../media/media-picker";
import { Thumbnail } from "../media/thumbnail";
import type { SnippetRow } from "./types";

interface Stored {
  title: string;
  shortcut: string | null;
  body: string;
  media_file_id: number | null;
}

const LOOKUP_DELAY_MS = 300;
const SHORTCUT = /^[\p{L}\p{N}_-]{1,32}$/u;

const EMPTY: Stored = { title: "", shortcut: null, body: "", media_file_id: null };

export function SnippetForm({ snippet, onSaved }: { snippet?: SnippetRow; onSaved: () => void }) {
  const t = useTranslations("snippets");
  const utils = api.useUtils();
  const [media, setMedia] = useState(snippet?.media ?? null);
  const [picking, setPicking] = useState(false);
  const stored = snippet ? storedOf(snippet) : EMPTY;
  const form = useStoredForm(() => import("./forms").then((file) => file.snippetForm), {
    stored,
    valuesOf: ({ title, shortcut, body, media_file_id }) => ({
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
  const choose = (file: SnippetRow["media"]) => {
    setMedia(file);
    form.setValue("media_file_id", file?.id ?? null, { shouldDirty: true });
  };
  const text = form.watch("body");
  const clash = useShortcutClash(form.watch("shortcut"), snippet?.id);
  return (
    <OperationForm form={form}>
      <FormField name="title" label={t("name")} maxLength={TITLE_MAX} />
      <FormField
        name="shortcut"
        label={t("shortcut")}
        hint={clash ? <Clash title={clash} /> : t("shortcutHint")}
        optional
        maxLength={SHORTCUT_MAX}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <FormField name="body" label={t("body")} as="textarea" dir="auto" rows={5} max={BODY_MAX} />
      {snippet?.file_missing && !media ? <FormAlert tone="warning">{t("fileMissingText")}</FormAlert> : null}
      <FormField name="media_file_id" label={t("file")} optional group>
        {() => (
          <div className="flex flex-col gap-3">
            {media ? (
              <div className="flex items-center gap-3">
                <Thumbnail file={media} />
                <bdi className="wrap-anywhere min-w-0 text-sm">{media.name}</bdi>
              </div>
            ) : null}
            <div className="flex flex-wrap gap-3">
              <Button size="sm" onClick={() => setPicking(true)}>
                {t("chooseFile")}
              </Button>
              {media ? (
                <Button size="sm" onClick={() => choose(null)}>
                  {t("removeFile")}
                </Button>
              ) : null}
            </div>
          </div>
        )}
      </FormField>
      {text || media ? (
        <section aria-label={t("preview")} className="flex flex-col gap-2">
          <h3 className="font-medium text-sm">{t("preview")}</h3>
          <div className="flex max-w-80 flex-col gap-2 rounded-card bg-primary-soft p-3 text-sm">
            {media ? (
              <span className="w-24">
                <Thumbnail file={media} size="lg" />
              </span>
            ) : null}
            <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
              {text}
            </p>
          </div>
        </section>
      ) : null}
      <SubmitButton block>{t("save")}</SubmitButton>
      {picking ? <MediaPicker open={picking} onOpenChange={setPicking} onChoose={choose} /> : null}
    </OperationForm>
  );
}

function Clash({ title }: { title: string }) {
  const t = useTranslations("snippets");
  return (
    <span role="status" className="text-danger-text">
      {t.rich("shortcutTaken", { title, b: (name) => <bdi>{name}</bdi> })}
    </span>
  );
}

/** Returns the title of the other snippet that has the typed shortcut. */
function useShortcutClash(typed: string | null | undefined, ownId: number | undefined): string | undefined {
  const candidate = (typed ?? "").trim();
  const [shortcut, setShortcut] = useState(candidate);
  useEffect(() => {
    const timer = window.setTimeout(() => setShortcut(candidate), LOOKUP_DELAY_MS);
    return () => window.clearTimeout(timer);
  }, [candidate]);
  const query = { shortcut, per_page: "1" };
  const result = api.snippets.list.useQuery({ query }, { enabled: SHORTCUT.test(shortcut), retry: false });
  const holder = shortcut === candidate ? result.data?.snippets[0] : undefined;
  return holder && holder.id !== ownId ? holder.title : undefined;
}

function storedOf({ title, shortcut, body, media_file_id }: SnippetRow): Stored {
  return { title, shortcut, body, media_file_id };
}
