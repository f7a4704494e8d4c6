import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { RefusedSignUps } from "@/components/access/registration/refused-sign-ups";
import { ClientMessages } from "@/components/shell/client-messages";
import { PageHeader } from "@/components/ui/page-header";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { requireSignIn } from "../../viewer";

export const generateMetadata = metadataWithTitle("signUpRefusals.title");

export default async function SignUpsPage() {
  const [t, { viewer }, { api }] = await Promise.all([
    getTranslations("signUpRefusals"),
    requireSignIn(),
    getPanelCaller(),
  ]);
  if (viewer !== "admin") notFound();
  const [initial, settings] = await Promise.all([api.registration.listRefusals(), api.settings.list()]);
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <ClientMessages namespaces={["signUpRefusals", "identity", "auth"]}>
        <RefusedSignUps initial={initial} settings={settings} />
      </ClientMessages>
    </>
  );
}
