import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { getSetting } from "@/components/platform/settings/types";
import { ClientMessages } from "@/components/shell/client-messages";
import { LegalTextForm } from "@/components/tenancy/legal-texts/legal-text-form";
import { Crumb } from "@/components/ui/crumbs";
import { PageHeader } from "@/components/ui/page-header";
import { LEGAL_TEXTS } from "@/server/domains/tenancy/legal-texts/policy";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { requireSignIn } from "../../../viewer";

const findKey = (key: string) => LEGAL_TEXTS.find((each) => each === key);

async function getName(key: (typeof LEGAL_TEXTS)[number]): Promise<string> {
  const t = await getTranslations();
  return key === "agreement" ? t("legalTexts.agreement") : t(`consents.${key}.title`);
}

export async function generateMetadata({ params }: PageProps<"/admin/legal-texts/[key]">): Promise<Metadata> {
  const [t, { viewer }, input] = await Promise.all([getTranslations(), requireSignIn(), params]);
  const key = findKey(input.key);
  return { title: viewer === "admin" && key ? await getName(key) : t("legalTexts.edit") };
}

export default async function LegalTextPage({ params }: PageProps<"/admin/legal-texts/[key]">) {
  const [t, { viewer }, { api }, input] = await Promise.all([
    getTranslations(),
    requireSignIn(),
    getPanelCaller(),
    params,
  ]);
  const key = findKey(input.key);
  if (viewer !== "admin" || !key) notFound();
  const [{ text }, { settings }] = await Promise.all([
    api.legalTexts.get({ params: { key } }),
    api.settings.list(),
  ]);
  const graceDays = key === "agreement" ? Number(getSetting(settings, "agreement_grace_days").value) : null;
  const name = await getName(key);
  return (
    <>
      <Crumb>{name}</Crumb>
      <PageHeader
        title={name}
        description={
          text.published_at ? t("legalTexts.version", { version: text.version }) : t("legalTexts.shipped")
        }
      />
      <ClientMessages namespaces={["legalTexts", "identity", "auth"]}>
        <div className="max-w-form">
          <LegalTextForm currentText={text} days={graceDays} />
        </div>
      </ClientMessages>
    </>
  );
}
