import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { HealthRows } from "@/components/platform/health/health-rows";
import { SetupForm } from "@/components/tenancy/administration/setup-form";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { getCurrentUser, getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../page-title";
import { AuthFrame, firstValue } from "../frame";

export const generateMetadata = metadataWithTitle("setup.title", { referrer: "no-referrer" });

/** Creates the first administrator. The server's log contains the link with the token. */
export default async function SetupPage({ searchParams }: PageProps<"/setup">) {
  const token = firstValue((await searchParams).token);
  const [t, profile, { api }] = await Promise.all([
    getTranslations("setup"),
    getCurrentUser(),
    getPanelCaller(),
  ]);
  if (profile?.user.role === "admin") redirect("/setup/checks");
  const { needed, checks } = await api.administration.getSetup({ query: { token } });
  if (!needed) redirect("/");
  if (!token || !checks)
    return (
      <AuthFrame>
        <PageHeader title={t(token ? "deadTitle" : "waitTitle")} description={t("waitText")} />
        <div className="flex flex-col gap-5">
          <p className="text-sm">{t("console")}</p>
          <CodeBlock code="npm run admin -- boss@example.com" />
          <LinkButton href="/sign-in">{t("toSignIn")}</LinkButton>
        </div>
      </AuthFrame>
    );
  return (
    <AuthFrame namespaces={["setup"]}>
      <SetupForm token={token} />
      <div className="mt-8">
        <Card title={t("checks")} flush>
          <div className="border-border border-t">
            <HealthRows rows={checks} label={t("checks")} />
          </div>
        </Card>
      </div>
    </AuthFrame>
  );
}
