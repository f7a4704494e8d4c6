"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { PhoneField } from "@/components/access/verification/phone-field";
import { api, call } from "@/components/api/client";
import { FormEmail } from "@/components/form/form-email";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useStoredForm } from "@/components/form/use-stored-form";
import { Card } from "@/components/ui/card";
import { WithAside } from "@/components/ui/with-aside";
import type { Output } from "@/server/core/contract";
import type { getBrand } from "@/server/domains/tenancy/brands/contract";
import { BrandPictures } from "./brand-pictures";
import { BrandPreview } from "./brand-preview";
import { ColourField } from "./colour-field";

type BrandResponse = Output<typeof getBrand>;

const toStoredSettings = (brand: BrandResponse["brand"]) =>
  brand && {
    product_name: brand.product_name,
    color: brand.color,
    support_email: brand.support_email,
    support_phone: brand.support_phone,
  };
const toFormValues = (brand: ReturnType<typeof toStoredSettings>) => ({
  product_name: brand?.product_name ?? "",
  color: brand?.color ?? "",
  support_email: brand?.support_email ?? "",
  support_phone: brand?.support_phone ?? "",
});

export function BrandCard({ initialData }: { initialData: BrandResponse }) {
  const t = useTranslations("branding");
  const utils = api.useUtils();
  const router = useRouter();
  const { data } = api.brands.get.useQuery(undefined, { initialData });
  const { brand } = data;
  const form = useStoredForm(
    () => import("@/server/domains/tenancy/brands/contract").then((file) => file.putBrand),
    {
      stored: toStoredSettings(initialData.brand),
      toFormValues,
      submit: (body, expected) =>
        call.brands.update.mutate({
          body: {
            ...body,
            color: body.color || null,
            support_email: body.support_email || null,
            support_phone: body.support_phone || null,
            expected,
          },
        }),
      onSuccess: async (response) => {
        form.replaceStoredValues(toStoredSettings(response.brand));
        await utils.brands.get.invalidate();
        router.refresh();
      },
      onStale: utils.brands.get.invalidate,
    },
  );
  const [name, color] = form.watch(["product_name", "color"]);

  return (
    <WithAside
      aside={<BrandPreview name={name || brand?.product_name || ""} color={color ?? ""} brand={brand} />}
    >
      <Card title={t("card")} description={t("cardText")}>
        <div className="flex flex-col gap-8">
          <OperationForm form={form} label={t("card")}>
            <FormField name="product_name" label={t("name")} dir="auto" autoComplete="off" />
            <ColourField />
            <div className="grid gap-5 sm:grid-cols-2">
              <FormEmail
                name="support_email"
                label={t("supportEmail")}
                hint={t("supportHint")}
                optional
                autoComplete="off"
              />
              <PhoneField name="support_phone" label={t("supportPhone")} optional autoComplete="off" />
            </div>
            <SubmitButton>{t("save")}</SubmitButton>
          </OperationForm>
          <BrandPictures brand={brand} />
        </div>
      </Card>
    </WithAside>
  );
}
