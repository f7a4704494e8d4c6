import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { StopLink } from "@/components/tenancy/factor-resets/stop-link";
import { AuthFrame, firstValue } from "../frame";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auth.stopReset");
  return { title: t("title"), referrer: "no-referrer" };
}

/** `?token=` is a mailed link. Opening the page stops nothing. */
export default async function StopFactorResetPage({ searchParams }: PageProps<"/stop-factor-reset">) {
  const { token } = await searchParams;
  return (
    <AuthFrame>
      <StopLink token={firstValue(token)} />
    </AuthFrame>
  );
}
