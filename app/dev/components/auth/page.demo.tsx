import { cookies } from "next/headers";
import { getTranslations } from "next-intl/server";
import { AuthLayout } from "@/components/shell/auth-layout";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { PageHeader } from "@/components/ui/page-header";
import { PasswordInput } from "@/components/ui/password-input";
import { parseTheme } from "@/components/ui/preference";

export default async function AuthSample() {
  const t = await getTranslations("gallery");
  return (
    <AuthLayout
      brand={{ name: "Tellal" }}
      theme={parseTheme((await cookies()).get("theme")?.value)}
      footer={t("text")}
    >
      <PageHeader title={t("step1")} description={t("text")} />
      <div className="flex flex-col gap-5">
        <Field label={t("name")}>
          <Input />
        </Field>
        <Field label={t("password")}>
          <PasswordInput autoComplete="current-password" />
        </Field>
        <Button variant="primary" block>
          {t("send")}
        </Button>
      </div>
    </AuthLayout>
  );
}
