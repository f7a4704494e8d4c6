import type { Metadata, Route } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ownPath } from "@/components/api/own-path";
import { SignIn } from "@/components/sign-in/sign-in";
import { TextLink } from "@/components/ui/text-link";
import { env } from "@/server/core/env";
import { me } from "@/server/transports/trpc/caller";
import { AuthFrame, one } from "../frame";
import { DEMO_ACCOUNTS } from "./demo-accounts";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auth.sign_in");
  return { title: t("title") };
}

/** Whoever is signed in already goes where he wanted to go. */
export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const next = one((await searchParams).next);
  if (await me()) redirect(ownPath(next) as Route);
  const t = await getTranslations("auth.sign_in");
  return (
    <AuthFrame
      footer={
        <>
          {t("no_account")} <TextLink href="/sign-up">{t("sign_up")}</TextLink>
        </>
      }
    >
      <SignIn next={next} accounts={env().SEED === "demo" ? DEMO_ACCOUNTS : []} demo={!env().production} />
    </AuthFrame>
  );
}
