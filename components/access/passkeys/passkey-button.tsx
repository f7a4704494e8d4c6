"use client";

import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { type ClosedGate, toClosedGate } from "@/components/access/sign-in/closed-gate";
import { LastUsedBadge } from "@/components/access/sign-in/last-used-badge";
import type { OpenPanel } from "@/components/access/sign-in/use-open-panel";
import { toFormError } from "@/components/api/form-error";
import { publicCall } from "@/components/api/public-call";
import { Button, type ButtonProps } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import { toPasskeyProblem } from "./passkey-problem";
import { usePasskeysSupported } from "./use-passkeys-supported";

const loadWebAuthnLibrary = () => import("@simplewebauthn/browser");

/** The ceremony of the autofill expires after five minutes. */
const RENEWAL_INTERVAL_MS = 4 * 60_000;

export interface PasskeyButtonProps {
  openPanel: OpenPanel;
  onClosedGate: (closedGate: ClosedGate) => void;
  offersAutofill?: boolean;
  isLastUsed?: boolean;
  variant?: ButtonProps["variant"];
}

/** Signs in by button or by autofill of the email field. Hidden where passkeys are not supported. */
export function PasskeyButton({
  openPanel,
  onClosedGate,
  offersAutofill,
  isLastUsed,
  variant,
}: PasskeyButtonProps) {
  const t = useTranslations("auth");
  const isSupported = usePasskeysSupported();
  const [isWorking, setIsWorking] = useState(false);
  const [problem, setProblem] = useState<string>();

  const signInRef = useRef<(autofill: boolean) => Promise<void>>(undefined);
  signInRef.current = async (autofill) => {
    const { options, challenge_ref } = await publicCall.passkeys.loginOptions.mutate({ body: {} });
    const { startAuthentication } = await loadWebAuthnLibrary();
    const credential = await startAuthentication({ optionsJSON: options, useBrowserAutofill: autofill });
    setProblem(undefined);
    setIsWorking(true);
    const { token } = await publicCall.passkeys.login.mutate({ body: { credential, challenge_ref } });
    await openPanel(token, "passkey");
  };

  const showProblem = useCallback(
    (error: unknown) => {
      setIsWorking(false);
      const formError = toFormError(error);
      const closedGate = toClosedGate(formError);
      if (closedGate) return onClosedGate(closedGate);
      const browserProblem = toPasskeyProblem(error);
      setProblem(browserProblem ? t(`passkey.problem.${browserProblem}`) : formError.message);
    },
    [onClosedGate, t],
  );

  useEffect(() => {
    if (!isSupported || !offersAutofill) return;
    let isEnded = false;
    async function offerAutofill() {
      const { browserSupportsWebAuthnAutofill } = await loadWebAuthnLibrary();
      if (!(await browserSupportsWebAuthnAutofill()) || isEnded) return;
      await signInRef.current?.(true).catch((error: unknown) => {
        // Ignore browser errors: the user did not start this attempt.
        const browserProblem = toPasskeyProblem(error);
        if (!isEnded && (browserProblem === undefined || toClosedGate(toFormError(error))))
          showProblem(error);
      });
    }
    void offerAutofill();
    const renewalTimer = window.setInterval(offerAutofill, RENEWAL_INTERVAL_MS);
    return () => {
      isEnded = true;
      window.clearInterval(renewalTimer);
      void loadWebAuthnLibrary().then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony());
    };
  }, [isSupported, offersAutofill, showProblem]);

  if (!isSupported) return null;
  return (
    <div className="flex flex-col gap-3">
      <LastUsedBadge isLastUsed={isLastUsed}>
        <Button
          block
          variant={variant}
          icon={<KeyRound />}
          working={isWorking}
          onClick={() => {
            setIsWorking(true);
            signInRef.current?.(false).catch(showProblem);
          }}
        >
          {t("passkey.use")}
        </Button>
      </LastUsedBadge>
      {problem ? <FormAlert live>{problem}</FormAlert> : null}
    </div>
  );
}
