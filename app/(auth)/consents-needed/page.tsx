import type { Metadata, Route } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ownPath } from "@/components/api/own-path";
import { ConsentsNeeded } from "@/components/registration/consents-needed";
import { PageHeader } from "@/components/ui/page-header";
import { me, panel } from "@/server/transports/trpc/caller";
import { AuthFrame, one } from "../frame";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auth.consents_needed");
  return { title: t("title") };
}

/** Between a sign-up through an identity provider and the panel; whoever lacks nothing goes on. */
export default async function ConsentsNeededPage({ searchParams }: PageProps<"/consents-needed">) {
  const next = one((await searchParams).next);
  if (!(await me())) redirect("/sign-in");
  const { api } = await panel();
  const { missing_consents: missing } = await api.consents.state();
  if (missing.length === 0) redirect(ownPath(next) as Route);
  const t = await getTranslations("auth.consents_needed");
  return (
    <AuthFrame namespaces={["consents"]}>
      <PageHeader title={t("title")} description={t("text")} />
      <ConsentsNeeded missing={missing} next={next} />
    </AuthFrame>
  );
}
