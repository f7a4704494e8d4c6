import { cookies } from "next/headers";
import type { Messages } from "next-intl";
import type { ReactNode } from "react";
import { AuthLayout } from "@/components/shell/auth-layout";
import { ClientMessages } from "@/components/shell/client-messages";
import { parseTheme } from "@/components/ui/preference";
import { getPageBrand, getPublicSupportContact, toBrandProps } from "../brand";

export interface AuthFrameProps {
  children: ReactNode;
  footer?: ReactNode;
  /** Message namespaces in addition to `auth`. */
  namespaces?: readonly (keyof Messages)[];
  wide?: boolean;
}

export async function AuthFrame({ children, footer, namespaces = [], wide }: AuthFrameProps) {
  const [cookieStore, brand, support] = await Promise.all([
    cookies(),
    getPageBrand(),
    getPublicSupportContact(),
  ]);
  const theme = parseTheme(cookieStore.get("theme")?.value);
  return (
    <ClientMessages namespaces={["auth", ...namespaces]}>
      <AuthLayout brand={toBrandProps(brand)} theme={theme} footer={footer} support={support} wide={wide}>
        {children}
      </AuthLayout>
    </ClientMessages>
  );
}

export function firstValue(value: string | string[] | undefined): string | undefined {
  return [value].flat()[0] || undefined;
}
