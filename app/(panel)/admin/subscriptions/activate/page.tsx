import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ClientMessages } from "@/components/shell/client-messages";
import { ActivatePlan } from "@/components/tenancy/administration/activate-plan";
import { PageHeader } from "@/components/ui/page-header";
import { signedIn } from "../../../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("billingAdmin.activation");
  return { title: t("title") };
}

/** For administrators: a bank transfer becomes a subscription. */
export default async function ActivatePage() {
  const [t, { viewer }] = await Promise.all([getTranslations("billingAdmin.activation"), signedIn()]);
  if (viewer !== "admin") notFound();
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["billingAdmin", "identity", "auth"]}>
        <div className="max-w-3xl">
          <ActivatePlan />
        </div>
      </ClientMessages>
    </>
  );
}
