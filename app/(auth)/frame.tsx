import { cookies } from "next/headers";
import type { Messages } from "next-intl";
import type { ReactNode } from "react";
import { AuthLayout } from "@/components/shell/auth-layout";
import { ClientMessages } from "@/components/shell/client-messages";
import { themeOf } from "@/components/ui/preference";
import { env } from "@/server/core/env";

export interface AuthFrameProps {
  children: ReactNode;
  /** Below the form, such as "No account yet? Sign up". */
  footer?: ReactNode;
  /** Texts beside those of signing in. */
  namespaces?: readonly (keyof Messages)[];
  /** For more than a form. */
  wide?: boolean;
}

/** A signed-out page in the product's name, with its texts. */
export async function AuthFrame({ children, footer, namespaces = [], wide }: AuthFrameProps) {
  const theme = themeOf((await cookies()).get("theme")?.value);
  return (
    <ClientMessages namespaces={["auth", ...namespaces]}>
      <AuthLayout brand={env().APP_NAME} theme={theme} footer={footer} wide={wide}>
        {children}
      </AuthLayout>
    </ClientMessages>
  );
}

/** One value of a query parameter; a repeated one counts as its first. */
export function one(value: string | string[] | undefined): string | undefined {
  return [value].flat()[0] || undefined;
}
