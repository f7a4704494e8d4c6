"use client";

import { lazy, type ReactNode, Suspense, useEffect } from "react";
import type { FallbackProps } from "react-error-boundary";
import { UnverifiedEmailBanner } from "@/components/access/verification/unverified-email-banner";
import { ProofDialog, type ProofDialogProps } from "@/components/accounts/users/proof-dialog";
import { setPanelAccountId } from "@/components/api/account-header";
import { call } from "@/components/api/client";
import { endSession } from "@/components/api/session";
import { useAction } from "@/components/form/use-action";
import { lazyPart } from "@/components/ui/lazy-part";
import { PopupError } from "@/components/ui/popups/popup-error";
import { PopupPlaceholder } from "@/components/ui/popups/popup-placeholder";
import type { Output } from "@/server/core/contract";
import type { Locale } from "@/server/core/locale";
import type { getFactorDuty } from "@/server/domains/access/two-factor/contract";
import { LeaveGuard } from "./leave-guard";
import { SessionDialog } from "./session-dialog";
import { ShellFrame } from "./shell-frame";
import type { ShellFrameProps } from "./shell-props";

const ConfirmIdentity = lazyPart(
  () => import("@/components/access/sign-in/identity/confirm-identity").then((file) => file.ConfirmIdentity),
  { loading: PopupPlaceholder, failed: ProofError, loadsEarly: true },
);

/** Closing the error declines the proof. */
function ProofError({ onEnd, ...failure }: FallbackProps & ProofDialogProps) {
  return <PopupError {...failure} onOpenChange={() => onEnd(false)} />;
}

const RequirementBanner = lazy(async () => ({
  default: (await import("@/components/access/two-factor/requirement-banner")).RequirementBanner,
}));

export interface PanelFrameProps
  extends Omit<ShellFrameProps, "onSignOut" | "onLocaleChange" | "banners" | "offlineBanner"> {
  accountId: number;
  isMailUnverified: boolean;
  duePaymentBanner: ReactNode;
  deadConnectionBanner: ReactNode;
  viewAsBanner?: ReactNode;
  agreementBanner?: ReactNode;
  /** False if the reseller pages show the agreement instead of their content. */
  isAgreementSigned?: boolean;
  twoFactorRequirement?: Output<typeof getFactorDuty>;
}

export function PanelFrame({
  accountId,
  isMailUnverified,
  duePaymentBanner,
  deadConnectionBanner,
  viewAsBanner,
  agreementBanner,
  isAgreementSigned,
  twoFactorRequirement,
  ...props
}: PanelFrameProps) {
  useEffect(() => setPanelAccountId(accountId), [accountId]);

  const { run: changeLocale } = useAction(
    (locale: Locale) => call.account.setLocale.mutate({ body: { locale } }),
    {
      successText: false,
    },
  );

  return (
    <LeaveGuard>
      {({ offlineBanner, leave }) => (
        <ProofDialog value={ConfirmIdentity}>
          <ShellFrame
            {...props}
            offlineBanner={offlineBanner}
            banners={{
              mailUnverified: isMailUnverified ? <UnverifiedEmailBanner email={props.user.email} /> : null,
              due: duePaymentBanner,
              connectionDead: deadConnectionBanner,
              viewAs: viewAsBanner,
              [isAgreementSigned ? "agreement" : "agreementUnsigned"]: agreementBanner,
              secondFactor: twoFactorRequirement ? (
                <Suspense>
                  <RequirementBanner initial={twoFactorRequirement} />
                </Suspense>
              ) : null,
            }}
            onLocaleChange={changeLocale}
            onSignOut={() => leave(() => void endSession())}
          />
          <SessionDialog user={{ id: accountId, email: props.user.email }} />
        </ProofDialog>
      )}
    </LeaveGuard>
  );
}
