"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { api } from "@/components/api/client";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Drawer } from "@/components/ui/drawer";
import { lazyPart } from "@/components/ui/lazy-part";
import { SkeletonRows } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { getPassword } from "@/server/domains/settings/account/contract";

const PasswordForm = lazyPart(() => import("./password-form").then((file) => file.PasswordForm), {
  loading: () => <SkeletonRows rowCount={3} />,
});

export interface PasswordCardProps {
  initial: Output<typeof getPassword>;
  email: string;
}

/** Password managers and links open the form with this fragment. */
const PASSWORD_FRAGMENT = "#password";

export function PasswordCard({ initial, email }: PasswordCardProps) {
  const t = useTranslations("security.password");
  const { data } = api.account.getPassword.useQuery(undefined, { initialData: initial });
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const openFromFragment = () => window.location.hash === PASSWORD_FRAGMENT && setOpen(true);
    openFromFragment();
    window.addEventListener("hashchange", openFromFragment);
    return () => window.removeEventListener("hashchange", openFromFragment);
  }, []);

  function handleOpenChange(next: boolean) {
    setOpen(next);
    // Without the fragment, the same link can open the form again.
    if (!next && window.location.hash === PASSWORD_FRAGMENT)
      window.history.replaceState(window.history.state, "", window.location.pathname);
  }

  const actionLabel = t(data.has_password ? "submit" : "set");
  return (
    <div id="password">
      <Card
        title={t("title")}
        description={
          data.changed_at
            ? t.rich("changed", { time: () => <Time value={data.changed_at!} /> })
            : t(data.has_password ? "text" : "none")
        }
        actions={
          <Drawer
            open={open}
            onOpenChange={handleOpenChange}
            trigger={<Button size="sm">{actionLabel}</Button>}
            title={actionLabel}
          >
            <PasswordForm
              hasPassword={data.has_password}
              email={email}
              onDone={() => handleOpenChange(false)}
            />
          </Drawer>
        }
      />
    </div>
  );
}
