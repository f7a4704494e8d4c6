import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { EmailChangeLink } from "@/components/settings/account/email-change-link";
import { AuthFrame, firstValue } from "../frame";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auth.email_change.confirm");
  return { title: t("title"), referrer: "no-referrer" };
}

/** `?token=` is a mailed link. Opening the page spends nothing. */
export default async function ConfirmEmailChangePage({ searchParams }: PageProps<"/confirm-email-change">) {
  const { token } = await searchParams;
  return (
    <AuthFrame>
      <EmailChangeLink kind="confirm" token={firstValue(token)} />
    </AuthFrame>
  );
}
