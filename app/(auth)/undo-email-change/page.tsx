import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { UndoLink } from "@/components/access/email-change/undo-link";
import { lookAtUndo } from "@/server/domains/access/email-change/service/look";
import { AuthFrame, firstValue } from "../frame";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auth.emailChange.undo");
  return { title: t("title"), referrer: "no-referrer" };
}

/** `?token=` is a mailed link. Opening the page spends nothing. */
export default async function UndoEmailChangePage({ searchParams }: PageProps<"/undo-email-change">) {
  const token = firstValue((await searchParams).token);
  return (
    <AuthFrame>
      <UndoLink token={token} change={token ? await lookAtUndo(token) : undefined} />
    </AuthFrame>
  );
}
