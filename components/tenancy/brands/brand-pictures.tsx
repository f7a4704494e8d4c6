"use client";

import { ImageUp } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { toFormError } from "@/components/api/form-error";
import { uploadFile } from "@/components/api/upload-file";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { FileButton } from "@/components/ui/file-button";
import { FormAlert } from "@/components/ui/form-alert";
import type { Brand } from "@/server/domains/tenancy/brands/contract";
import {
  PICTURE_MAX_MEGABYTES,
  PICTURE_MEDIA_TYPES,
  PICTURE_SLOTS,
  type PictureSlotName,
} from "@/server/domains/tenancy/brands/policy";
import { toPicturePath } from "./picture-path";
import { THEME_STYLES } from "./theme-styles";

const URL_FIELDS = { logo: "logo_url", "logo-dark": "logo_dark_url", icon: "icon_url" } as const;

const BACKGROUND_STYLES = {
  logo: THEME_STYLES.light,
  "logo-dark": THEME_STYLES.dark,
  icon: undefined,
} as const;

export function BrandPictures({ brand }: { brand: Brand | null }) {
  const t = useTranslations("branding");
  return (
    <section aria-label={t("pictures")} className="flex flex-col gap-3">
      <h3 className="font-medium text-sm">{t("pictures")}</h3>
      <p className="text-fg-muted text-sm">{t("picturesText", { max: PICTURE_MAX_MEGABYTES })}</p>
      <ul className="grid gap-4 sm:grid-cols-3">
        {PICTURE_SLOTS.map((picture) => (
          <PictureSlot key={picture} picture={picture} src={toPicturePath(brand?.[URL_FIELDS[picture]])} />
        ))}
      </ul>
    </section>
  );
}

function PictureSlot({ picture, src }: { picture: PictureSlotName; src: string | null }) {
  const t = useTranslations();
  const utils = api.useUtils();
  const router = useRouter();
  const label = t(`branding.picture.${picture}`);
  const errorTexts: Record<number, string> = {
    413: t("branding.picturesText", { max: PICTURE_MAX_MEGABYTES }),
  };
  const { isPending, problem, attempt } = useAction((work: () => Promise<unknown>) => work(), {
    onSuccess: async () => {
      await utils.brands.get.invalidate();
      router.refresh();
    },
    explainError: (cause) => errorTexts[toFormError(cause).status ?? 0],
  });

  async function uploadPicture(file: File) {
    const { uploadBrandPicture } = await import("@/server/domains/tenancy/brands/contract");
    await uploadFile({ ...uploadBrandPicture, path: `/api/reseller/brand/${picture}` }, file);
    return { message: t("branding.saved") };
  }

  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-card border border-border p-3">
      <p className="font-medium text-compact">{label}</p>
      <div
        style={BACKGROUND_STYLES[picture]}
        className="grid h-16 place-items-center rounded-control bg-surface p-2 text-fg-muted"
      >
        {src ? (
          // biome-ignore lint/performance/noImgElement: already scaled by us, and public
          <img src={src} alt={label} className="max-h-12 max-w-full object-contain" />
        ) : (
          <span className="text-compact">{t("branding.none")}</span>
        )}
      </div>
      {problem ? <FormAlert live>{problem}</FormAlert> : null}
      <div className="flex flex-wrap gap-2">
        <FileButton
          size="sm"
          icon={<ImageUp />}
          working={isPending}
          accept={PICTURE_MEDIA_TYPES.join(",")}
          label={label}
          aria-label={`${t("branding.upload")}: ${label}`}
          onFile={(file) => void attempt(() => uploadPicture(file))}
        >
          {t("branding.upload")}
        </FileButton>
        {src ? (
          <Button
            size="sm"
            variant="ghost"
            aria-label={`${t("branding.remove")}: ${label}`}
            onClick={() => void attempt(() => call.brands.removePicture.mutate({ params: { picture } }))}
          >
            {t("branding.remove")}
          </Button>
        ) : null}
      </div>
    </li>
  );
}
