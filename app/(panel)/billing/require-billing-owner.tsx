import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { LinkButton } from "@/components/ui/link-button";
import { OwnerOnlyNotice } from "../owner-only";
import { requireSignIn } from "../viewer";

/** Returns what agents see instead of a page of the billing. */
export async function requireBillingOwner(): Promise<ReactNode> {
  const [t, { viewer }] = await Promise.all([getTranslations("billing.forbidden"), requireSignIn()]);
  if (viewer !== "agent") return null;
  return (
    <OwnerOnlyNotice title={t("title")} action={<LinkButton href="/dashboard">{t("back")}</LinkButton>}>
      {t("text")}
    </OwnerOnlyNotice>
  );
}
