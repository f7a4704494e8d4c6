"use client";

import { useTranslations } from "next-intl";
import { renderSVG } from "uqr";

export function ReferralQr({ link }: { link: string }) {
  const t = useTranslations("referral");
  return (
    // biome-ignore lint/performance/noImgElement: an inline data URL
    <img
      src={`data:image/svg+xml,${encodeURIComponent(renderSVG(link, { border: 2 }))}`}
      alt={t("qr")}
      width={168}
      height={168}
      className="size-42 rounded-card border border-border bg-white p-1 forced-color-adjust-none"
    />
  );
}
