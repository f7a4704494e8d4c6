"use client";

import type { Route } from "next";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ButtonContent } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { FormAlert } from "@/components/ui/form-alert";
import { LinkButton } from "@/components/ui/link-button";
import { ActivateSite } from "./activate-site";
import { SuspendedSince, SuspendedText } from "./site-facts";
import type { SiteDetail } from "./types";

export interface SuspensionNoticeProps {
  site: Pick<SiteDetail, "id" | "is_active" | "suspended_reason" | "suspended_at" | "suspended_by">;
  isOwner: boolean;
  isAdmin: boolean;
  /** True for viewers who cannot change the site, such as agents. */
  isReadOnly: boolean;
  /** True when the viewer pays for the site's overdue licence. */
  paysLicence: boolean;
  supportEmail: string;
  planOffer: ReactNode;
}

/** Why a site is suspended, since when, and how it becomes active again. */
export function SuspensionNotice({ site, isOwner, isReadOnly, ...viewer }: SuspensionNoticeProps) {
  const t = useTranslations("sites");
  const { suspended_reason: reason } = site;
  if (site.is_active || !reason) return null;
  const canActivate = !isReadOnly && (reason !== "administrator" || viewer.isAdmin);
  const paymentLink = isReadOnly ? null : findPaymentLink(reason, { isOwner, ...viewer });
  return (
    <div className="mb-6">
      <FormAlert
        tone="warning"
        title={t("detail.suspended")}
        action={
          isReadOnly ? undefined : (
            <>
              {paymentLink ? (
                <LinkButton size="sm" variant="primary" href={paymentLink.href as Route}>
                  {t(`suspension.${paymentLink.label}`)}
                </LinkButton>
              ) : null}
              {canActivate ? (
                <ActivateSite
                  siteId={site.id}
                  isOwner={isOwner}
                  isPrimary={!paymentLink}
                  planOffer={viewer.planOffer}
                />
              ) : (
                <a
                  href={`mailto:${viewer.supportEmail}`}
                  className={buttonStyle({ size: "sm", variant: "primary" })}
                >
                  <ButtonContent>{t("suspension.contact")}</ButtonContent>
                </a>
              )}
            </>
          )
        }
      >
        <span className="flex flex-col gap-1">
          <SuspendedText reason={reason} />
          <SuspendedSince site={site} isOwner={isOwner} />
          <span>{t("detail.suspendedText")}</span>
        </span>
      </FormAlert>
    </div>
  );
}

function findPaymentLink(
  reason: NonNullable<SiteDetail["suspended_reason"]>,
  { isOwner, paysLicence }: { isOwner: boolean; paysLicence: boolean },
) {
  if (reason === "subscription_ended" && isOwner) return { href: "/billing#plans", label: "renew" } as const;
  if (reason === "licence_unpaid" && paysLicence)
    return { href: "/billing?tab=licences", label: "payLicence" } as const;
  return null;
}
