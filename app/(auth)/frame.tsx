import { cookies } from "next/headers";
import type { Messages } from "next-intl";
import type { ReactNode } from "react";
import { AuthLayout } from "@/components/shell/auth-layout";
import { ClientMessages } from "@/components/shell/client-messages";
import { themeOf } from "@/components/ui/preference";
import { brandOfPage, brandPropsOf, publicSupportOfPage } from "../brand";

export interface AuthFrameProps {
  children: ReactNode;
  /** Shown below the form, such as "No account yet? Sign up". */
  footer?: ReactNode;
  /** Message namespaces in addition to `auth`. */
  namespaces?: readonly (keyof Messages)[];
  /** For pages with more than a form. */
  wide?: boolean;
}

/** Frame of signed-out pages with brand and messages. */
export async function AuthFrame({ children, footer, namespaces = [], wide }: AuthFrameProps) {
  const [jar, brand, support] = await Promise.all([cookies(), brandOfPage(), publicSupportOfPage()]);
  const theme = themeOf(jar.get("theme")?.value);
  return (
    <ClientMessages namespaces={["auth", ...namespaces]}>
      <AuthLayout brand={brandPropsOf(brand)} theme={theme} footer={footer} support={support} wide={wide}>
        {children}
      </AuthLayout>
    </ClientMessages>
  );
}

/** Returns the first value of a query parameter. */
export function firstValue(value: string | string[] | undefined): string | undefined {
  return [value].flat()[0] || undefined;
}
