"use client";

import { useTranslations } from "next-intl";
import { renderSVG } from "uqr";

/** The link as a QR code, for a card or a shop window. */
export function ReferralQr({ link }: { link: string }) {
  const t = useTranslations("referral");
  return (
    // biome-ignore lint/performance/noImgElement: a picture that was just drawn, in the address itself
    <img
      src={`data:image/svg+xml,${encodeURIComponent(renderSVG(link, { border: 2 }))}`}
      alt={t("qr")}
      width={168}
      height={168}
      className="size-42 rounded-card border border-border bg-white p-1 forced-color-adjust-none"
    />
  );
}
