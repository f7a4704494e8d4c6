"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { call } from "@/components/api/client";
import { toFormError } from "@/components/api/form-error";
import { uploadFile } from "@/components/api/upload-file";
import { useAction } from "@/components/form/use-action";
import { useFormat } from "@/components/ui/use-format";
import {
  AVATAR_MAX_BYTES,
  AVATAR_MAX_MEGABYTES,
  AVATAR_TYPES,
} from "@/server/domains/settings/account/policy";

export function usePicture() {
  const t = useTranslations();
  const router = useRouter();
  const maxSizeText = useFormat().bytes(AVATAR_MAX_MEGABYTES * 1_048_576);
  const fileInput = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();

  const tooLargeText = t("settings.avatar.tooLarge", { size: maxSizeText });
  const { isPending, problem, setProblem, attempt } = useAction(
    (work: () => Promise<{ message: string }>) => work(),
    {
      onSuccess: () => router.refresh(),
      onError: ({ status }) => status === 422 && discardFile(),
      explainError: (cause) => (toFormError(cause).status === 413 ? tooLargeText : undefined),
    },
  );

  /** Checks a file before the upload. The server checks the content again. */
  async function findProblem(candidate: File) {
    if (candidate.size === 0) return t("validation.file_empty");
    if (candidate.size > AVATAR_MAX_BYTES) return tooLargeText;
    if (await canDecodeImage(candidate)) return undefined;
    const isAllowedType = (AVATAR_TYPES as readonly string[]).includes(candidate.type);
    const [, extension] = /\.(\w{2,5})$/.exec(candidate.name) ?? [];
    if (isAllowedType) return t("validation.image_broken");
    return extension
      ? t("validation.image_format", { found: extension.toUpperCase() })
      : t("validation.image_type");
  }

  async function chooseFile(candidate: File | undefined) {
    if (!candidate) return;
    const error = await findProblem(candidate);
    setProblem(error);
    setFile(error ? undefined : candidate);
  }

  /** Loads a library picture by its path, because the content security policy allows only the page's host. */
  async function chooseFromLibrary(url: string) {
    const response = await fetch(new URL(url).pathname).catch(() => undefined);
    const content = response?.ok ? await response.blob() : undefined;
    if (content) await chooseFile(new File([content], "picture", { type: content.type }));
    else setProblem(t("validation.image_broken"));
  }

  function discardFile() {
    setFile(undefined);
    if (fileInput.current) fileInput.current.value = "";
  }

  async function save(candidate: File) {
    const { uploadAvatar } = await import("@/server/domains/settings/account/contract");
    await uploadFile(uploadAvatar, candidate);
    discardFile();
    return { message: t("settings.avatar.saved") };
  }

  async function remove() {
    await call.account.removeAvatar.mutate();
    return { message: t("settings.avatar.removed") };
  }

  return {
    input: fileInput,
    maxSizeText,
    working: isPending,
    problem,
    preview: usePreview(file),
    chooseFile,
    chooseFromLibrary,
    discardFile,
    save: () => file && attempt(() => save(file)),
    remove: () => attempt(remove),
  };
}

async function canDecodeImage(file: File): Promise<boolean> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  bitmap?.close();
  return bitmap !== null;
}

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
