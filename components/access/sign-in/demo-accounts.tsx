"use client";

import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";

export interface DemoAccount {
  role: "customer" | "agent" | "full" | "reseller" | "unsigned" | "admin";
  email: string;
  password: string;
}

export function DemoAccounts({
  accounts,
  onChoose,
}: {
  accounts: readonly DemoAccount[];
  onChoose: (account: DemoAccount) => void;
}) {
  const t = useTranslations("auth.signIn");
  return (
    <section aria-labelledby="demo-accounts" className="mt-8 rounded-card border border-border bg-surface">
      <div className="px-4 pt-4">
        <h2 id="demo-accounts" className="font-semibold text-sm">
          {t("demoTitle")}
        </h2>
        <p className="text-compact text-fg-muted">{t("demoText")}</p>
      </div>
      <ul className="mt-2 p-1.5">
        {accounts.map((account) => (
          <li key={account.email}>
            <button
              type="button"
              onClick={() => onChoose(account)}
              className="flex min-h-9 w-full flex-wrap items-center justify-between gap-x-4 rounded-control px-2.5 py-1 text-start text-sm transition-colors duration-120 hover:bg-sunken pointer-coarse:min-h-11"
            >
              <span className="font-medium">{t(`demo.${account.role}`)}</span>
              <span className="text-compact text-fg-muted">
                <Ltr>{account.email}</Ltr>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
