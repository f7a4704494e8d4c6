"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { call } from "@/components/api/client";
import { toFormError } from "@/components/api/form-error";
import { upload } from "@/components/api/upload";
import { useAction } from "@/components/form/use-action";
import { useFormat } from "@/components/ui/use-format";
import { IMAGE_MAX_BYTES, IMAGE_MAX_MEGABYTES, IMAGE_TYPES } from "@/server/domains/settings/account/policy";

/** Selected picture of the account, with its preview and actions. */
export function usePicture() {
  const t = useTranslations();
  const router = useRouter();
  const size = useFormat().bytes(IMAGE_MAX_MEGABYTES * 1_048_576);
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();

  const tooLarge = t("settings.avatar.tooLarge", { size });
  const { working, problem, setProblem, attempt } = useAction(
    (work: () => Promise<{ message: string }>) => work(),
    {
      onSuccess: () => router.refresh(),
      onError: ({ status }) => status === 422 && drop(),
      explain: (cause) => (toFormError(cause).status === 413 ? tooLarge : undefined),
    },
  );

  /** Checks a file before the upload; the server checks its content again. */
  async function problemWith(chosen: File) {
    if (chosen.size === 0) return t("validation.file_empty");
    if (chosen.size > IMAGE_MAX_BYTES) return tooLarge;
    if (await canDraw(chosen)) return undefined;
    const isListed = (IMAGE_TYPES as readonly string[]).includes(chosen.type);
    const [, extension] = /\.(\w{2,5})$/.exec(chosen.name) ?? [];
    if (isListed) return t("validation.image_broken");
    return extension
      ? t("validation.image_format", { found: extension.toUpperCase() })
      : t("validation.image_type");
  }

  async function choose(chosen: File | undefined) {
    if (!chosen) return;
    const error = await problemWith(chosen);
    setProblem(error);
    setFile(error ? undefined : chosen);
  }

  /** Loads a picture of the library by its path: the security policy of pages allows only their own host. */
  async function take(address: string) {
    const response = await fetch(new URL(address).pathname).catch(() => undefined);
    const content = response?.ok ? await response.blob() : undefined;
    if (content) await choose(new File([content], "picture", { type: content.type }));
    else setProblem(t("validation.image_broken"));
  }

  function drop() {
    setFile(undefined);
    if (input.current) input.current.value = "";
  }

  async function save(chosen: File) {
    const { uploadAvatar } = await import("@/server/domains/settings/account/contract");
    await upload(uploadAvatar, chosen);
    drop();
    return { message: t("settings.avatar.saved") };
  }

  async function remove() {
    await call.account.removeAvatar.mutate();
    return { message: t("settings.avatar.removed") };
  }

  return {
    /** Ref of the file input, which must be cleared. */
    input,
    /** Maximum file size, formatted. */
    size,
    working,
    problem,
    preview: usePreview(file),
    choose,
    take,
    drop,
    save: () => file && attempt(() => save(file)),
    remove: () => attempt(remove),
  };
}

async function canDraw(file: File): Promise<boolean> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  bitmap?.close();
  return bitmap !== null;
}

/** Object URL of the file. */
function usePreview(file: File | undefined): string | undefined {
  const [preview, setPreview] = useState<string>();
  useEffect(() => {
    if (!file) return setPreview(undefined);
    const url = URL.createObjectURL(file);
    setPreview(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return preview;
}
