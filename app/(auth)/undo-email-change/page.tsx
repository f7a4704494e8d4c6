import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { UndoLink } from "@/components/access/email-change/undo-link";
import { AuthFrame, firstValue } from "../frame";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auth.emailChange.undo");
  return { title: t("title"), referrer: "no-referrer" };
}

/** `?token=` is a mailed link. Opening the page spends nothing. */
export default async function UndoEmailChangePage({ searchParams }: PageProps<"/undo-email-change">) {
  const { token } = await searchParams;
  return (
    <AuthFrame>
      <UndoLink token={firstValue(token)} />
    </AuthFrame>
  );
}
