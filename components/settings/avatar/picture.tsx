"use client";

import { clsx } from "clsx";
import { ImageUp } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useId, useRef, useState } from "react";
import { api } from "@/components/api/client";
import { toFormError } from "@/components/form/form-error";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import { toast } from "@/components/ui/toast";
import { useFormat } from "@/components/ui/use-format";
import {
  IMAGE_MAX_BYTES,
  IMAGE_MAX_MEGABYTES,
  IMAGE_TYPES,
  uploadAvatar,
} from "@/server/domains/settings/avatar/contract";

export interface PictureProps {
  name: string;
  /** Path of a picture we serve; null shows the initials. */
  src: string | null;
  /** Whether there is one to remove, ours or an identity provider's. */
  has: boolean;
}

/** Whether the browser can decode it; the server checks again. */
async function isPicture(file: File): Promise<boolean> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  bitmap?.close();
  return bitmap !== null;
}

/** The account's picture: choose or drop one, preview the crop, save it; or remove it. */
export function Picture({ name, src, has }: PictureProps) {
  const t = useTranslations();
  const router = useRouter();
  const { bytes } = useFormat();
  const hint = useId();
  const input = useRef<HTMLInputElement>(null);
  const remove = api.avatar.remove.useMutation();
  const [file, setFile] = useState<File>();
  const [preview, setPreview] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [working, setWorking] = useState(false);
  const [over, setOver] = useState(false);
  const size = bytes(IMAGE_MAX_MEGABYTES * 1_000_000);

  useEffect(() => {
    if (!file) return setPreview(undefined);
    const url = URL.createObjectURL(file);
    setPreview(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);

  async function take(chosen: File | undefined) {
    if (!chosen) return;
    const fits = (IMAGE_TYPES as readonly string[]).includes(chosen.type);
    const wrong = !fits
      ? t("validation.image_type")
      : chosen.size > IMAGE_MAX_BYTES
        ? t("settings.avatar.too_large", { size })
        : (await isPicture(chosen))
          ? undefined
          : t("validation.image_broken");
    setProblem(wrong);
    setFile(wrong ? undefined : chosen);
  }

  function drop() {
    setFile(undefined);
    if (input.current) input.current.value = "";
  }

  async function save() {
    if (!file) return;
    setWorking(true);
    setProblem(undefined);
    const form = new FormData();
    form.append("file", file);
    const result = await fetch(uploadAvatar.path, { method: uploadAvatar.method, body: form }).catch(
      () => null,
    );
    setWorking(false);
    if (result?.status === 422) drop();
    if (!result?.ok) return setProblem(refusal(result?.status));
    drop();
    toast.success(t("settings.avatar.saved"));
    router.refresh();
  }

  function refusal(status: number | undefined): string {
    if (status === 413) return t("settings.avatar.too_large", { size });
    if (status === 422) return t("validation.image_broken");
    if (status === 429) return t("errors.too_many_requests");
    return t(status ? "ui.error.unexpected" : "ui.error.network");
  }

  async function removePicture() {
    setProblem(undefined);
    try {
      await remove.mutateAsync();
      toast.success(t("settings.avatar.removed"));
      router.refresh();
    } catch (error) {
      setProblem(toFormError(error).message || t("ui.error.network"));
    }
  }

  return (
    <fieldset
      aria-describedby={hint}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take(event.dataTransfer.files[0]);
      }}
      className={clsx(
        "mb-5 flex min-w-0 flex-col gap-4 rounded-card border border-dashed p-4 transition-colors duration-120",
        over ? "border-primary bg-primary-soft" : "border-border",
      )}
    >
      <legend className="sr-only">{t("settings.avatar.title")}</legend>
      <div className="flex flex-wrap items-center gap-4">
        <Avatar name={name} src={preview ?? src} size="lg" />
        {preview ? <span className="sr-only">{t("settings.avatar.preview")}</span> : null}
        <p id={hint} className="min-w-48 flex-1 text-fg-muted text-sm">
          {t("settings.avatar.text", { size })}
        </p>
      </div>
      {problem ? <FormAlert live>{problem}</FormAlert> : null}
      <div className="flex flex-wrap gap-2">
        <input
          ref={input}
          type="file"
          accept={IMAGE_TYPES.join(",")}
          hidden
          onChange={({ target }) => void take(target.files?.[0])}
        />
        {file ? (
          <>
            <Button variant="primary" size="sm" working={working} onClick={save}>
              {t("settings.avatar.save")}
            </Button>
            <Button size="sm" onClick={drop}>
              {t("common.cancel")}
            </Button>
          </>
        ) : (
          <>
            <Button size="sm" icon={<ImageUp />} onClick={() => input.current?.click()}>
              {t("settings.avatar.choose")}
            </Button>
            {has ? (
              <Button size="sm" working={remove.isPending} onClick={removePicture}>
                {t("settings.avatar.remove")}
              </Button>
            ) : null}
          </>
        )}
      </div>
    </fieldset>
  );
}
