"use client";

import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { MailBanner } from "@/components/access/verification/mail-banner";
import { ProofDialog } from "@/components/accounts/users/proof-dialog";
import { setPanelAccount } from "@/components/api/account-header";
import { call } from "@/components/api/client";
import { endSession } from "@/components/api/session";
import { useAction } from "@/components/form/use-action";
import type { Output } from "@/server/core/contract";
import type { Locale } from "@/server/core/locale";
import type { getFactorDuty } from "@/server/domains/access/two-factor/contract";
import { LeaveGuard } from "./leave-guard";
import { SessionDialog } from "./session-dialog";
import { ShellFrame } from "./shell-frame";
import type { ShellFrameProps } from "./shell-props";

const ConfirmIdentity = lazy(async () => ({
  default: (await import("@/components/access/sign-in/identity/confirm-identity")).ConfirmIdentity,
}));

const RequirementBanner = lazy(async () => ({
  default: (await import("@/components/access/two-factor/requirement-banner")).RequirementBanner,
}));

export interface PanelFrameProps
  extends Omit<ShellFrameProps, "onSignOut" | "onLocaleChange" | "banners" | "offline"> {
  account: number;
  mailUnverified: boolean;
  due: ReactNode;
  connectionDead: ReactNode;
  viewAs?: ReactNode;
  agreement?: ReactNode;
  /** Deadline of the two-factor requirement. */
  duty?: Output<typeof getFactorDuty>;
}

/** The shell with its actions (language, sign-out), banners and dialogs. */
export function PanelFrame({
  account,
  mailUnverified,
  due,
  connectionDead,
  viewAs,
  agreement,
  duty,
  ...props
}: PanelFrameProps) {
  useEffect(() => setPanelAccount(account), [account]);

  const { press: changeLocale } = useAction(
    (locale: Locale) => call.account.setLocale.mutate({ body: { locale } }),
    {
      success: false,
    },
  );

  return (
    <LeaveGuard>
      {({ offline, leave }) => (
        <ProofDialog value={ConfirmIdentity}>
          <ShellFrame
            {...props}
            offline={offline}
            banners={{
              mailUnverified: mailUnverified ? <MailBanner email={props.user.email} /> : null,
              due,
              connectionDead,
              viewAs,
              agreement,
              secondFactor: duty ? (
                <Suspense>
                  <RequirementBanner initial={duty} />
                </Suspense>
              ) : null,
            }}
            onLocaleChange={changeLocale}
            onSignOut={() => leave(() => void endSession())}
          />
          <SessionDialog user={{ id: account, email: props.user.email }} />
        </ProofDialog>
      )}
    </LeaveGuard>
  );
}
