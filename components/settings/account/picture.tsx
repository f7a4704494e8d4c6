"use client";

import { clsx } from "clsx";
import { Images, ImageUp } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import { lazyPart, POPUP } from "@/components/ui/lazy-part";
import { AVATAR_TYPES } from "@/server/domains/settings/account/policy";
import { usePicture } from "./use-picture";

const MediaPicker = lazyPart(
  () => import("@/components/sites/media/media-picker").then((file) => file.MediaPicker),
  POPUP,
);

export interface PictureProps {
  name: string;
  /** Path of an uploaded picture; null shows the initials. */
  src: string | null;
  /** True if the account has a picture, even one of an identity provider. */
  hasPicture: boolean;
}

export function Picture({ name, src, hasPicture }: PictureProps) {
  const t = useTranslations();
  const hintId = useId();
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const [isPickerOpen, setIsPickerOpen] = useState(false);
  const picture = usePicture();
  const { input: fileInput, working, problem, preview, chooseFile } = picture;
  return (
    <fieldset
      aria-describedby={hintId}
      onDragOver={(event) => {
        event.preventDefault();
        setIsDraggedOver(true);
      }}
      onDragLeave={() => setIsDraggedOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsDraggedOver(false);
        void chooseFile(event.dataTransfer.files[0]);
      }}
      className={clsx(
        "mb-5 flex min-w-0 flex-col gap-4 rounded-card border border-dashed p-4 transition-colors duration-120",
        isDraggedOver ? "border-primary-mark bg-primary-soft" : "border-border",
      )}
    >
      <legend className="sr-only">{t("settings.avatar.title")}</legend>
      <div className="flex flex-wrap items-center gap-4">
        <Avatar name={name} src={preview ?? src} size="lg" />
        {preview ? <span className="sr-only">{t("settings.avatar.preview")}</span> : null}
        <p id={hintId} className="min-w-48 flex-1 text-fg-muted text-sm">
          {t("settings.avatar.text", { size: picture.maxSizeText })}
        </p>
      </div>
      {problem ? <FormAlert live>{problem}</FormAlert> : null}
      <div className="flex flex-wrap gap-2">
        <input
          ref={fileInput}
          type="file"
          accept={AVATAR_TYPES.join(",")}
          hidden
          onChange={({ target }) => void chooseFile(target.files?.[0])}
        />
        {preview ? (
          <>
            <Button variant="primary" size="sm" working={working} onClick={picture.save}>
              {t("settings.avatar.save")}
            </Button>
            <Button size="sm" onClick={picture.discardFile}>
              {t("common.cancel")}
            </Button>
          </>
        ) : (
          <>
            <Button size="sm" icon={<ImageUp />} onClick={() => fileInput.current?.click()}>
              {t("settings.avatar.choose")}
            </Button>
            <Button size="sm" icon={<Images />} onClick={() => setIsPickerOpen(true)}>
              {t("settings.avatar.library")}
            </Button>
            {hasPicture ? (
              <Button size="sm" working={working} onClick={picture.remove}>
                {t("settings.avatar.remove")}
              </Button>
            ) : null}
          </>
        )}
      </div>
      {isPickerOpen ? (
        <MediaPicker
          open={isPickerOpen}
          onOpenChange={setIsPickerOpen}
          kind="image"
          onChoose={({ url }) => void picture.chooseFromLibrary(url)}
        />
      ) : null}
    </fieldset>
  );
}
