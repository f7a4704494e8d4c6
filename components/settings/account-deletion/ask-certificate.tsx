import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { Input } from "@/components/ui/input";
import { PageHeader } from "@/components/ui/page-header";

/** Asks for the code of a certificate. Works without JavaScript. */
export function AskCertificate({ hasWrongCode }: { hasWrongCode: boolean }) {
  const t = useTranslations("deletion.certificate");
  return (
    <>
      <PageHeader title={t("askTitle")} description={t("askText")} />
      <form method="get" className="flex flex-col gap-5">
        {hasWrongCode ? <FormAlert live>{t("wrong")}</FormAlert> : null}
        <Field label={t("askCode")}>
          <Input name="code" dir="ltr" autoComplete="off" spellCheck={false} required />
        </Field>
        <Button type="submit" variant="primary" block>
          {t("ask")}
        </Button>
      </form>
    </>
  );
}
