import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("ui.notFound");
  return { title: t("title") };
}

/** Every address that no other page has. */
export default function UnknownPage(): never {
  notFound();
}
