"use client";

import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { type ClosedGate, closedGateOf } from "@/components/access/sign-in/closed-gate";
import { LastUsed } from "@/components/access/sign-in/last-used";
import type { OpenPanel } from "@/components/access/sign-in/use-open-panel";
import { publicCall } from "@/components/api/call";
import { toFormError } from "@/components/api/form-error";
import { Button, type ButtonProps } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import { problemOf } from "./problem";
import { usePasskeysSupported } from "./use-supported";

const library = () => import("@simplewebauthn/browser");

/** Renews the ceremony behind the e-mail field before it expires after five minutes. */
const RENEW = 4 * 60_000;

export interface PasskeyButtonProps {
  enter: OpenPanel;
  onClosedGate: (closedGate: ClosedGate) => void;
  suggested?: boolean;
  last?: boolean;
  variant?: ButtonProps["variant"];
}

/** Sign-in by button or by autofill of the e-mail field. Hidden where passkeys are not supported. */
export function PasskeyButton({ enter, onClosedGate, suggested, last, variant }: PasskeyButtonProps) {
  const t = useTranslations("auth");
  const supported = usePasskeysSupported();
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<string>();

  const attempt = useRef<(autofill: boolean) => Promise<void>>(undefined);
  attempt.current = async (autofill) => {
    const { options, challenge_ref } = await publicCall.passkeys.loginOptions.mutate({ body: {} });
    const { startAuthentication } = await library();
    const credential = await startAuthentication({ optionsJSON: options, useBrowserAutofill: autofill });
    setProblem(undefined);
    setWorking(true);
    const { token } = await publicCall.passkeys.login.mutate({ body: { credential, challenge_ref } });
    await enter(token, "passkey");
  };

  const explain = useCallback(
    (error: unknown) => {
      setWorking(false);
      const result = toFormError(error);
      const closedGate = closedGateOf(result);
      if (closedGate) return onClosedGate(closedGate);
      const browserProblem = problemOf(error);
      setProblem(browserProblem ? t(`passkey.problem.${browserProblem}`) : result.message);
    },
    [onClosedGate, t],
  );

  useEffect(() => {
    if (!supported || !suggested) return;
    let ended = false;
    async function offer() {
      const { browserSupportsWebAuthnAutofill } = await library();
      if (!(await browserSupportsWebAuthnAutofill()) || ended) return;
      await attempt.current?.(true).catch((error: unknown) => {
        // Aborted, or never chosen: not an error for the user.
        const browserProblem = problemOf(error);
        if (!ended && (browserProblem === undefined || closedGateOf(toFormError(error)))) explain(error);
      });
    }
    void offer();
    const renewal = window.setInterval(offer, RENEW);
    return () => {
      ended = true;
      window.clearInterval(renewal);
      void library().then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony());
    };
  }, [supported, suggested, explain]);

  if (!supported) return null;
  return (
    <div className="flex flex-col gap-3">
      <LastUsed here={last}>
        <Button
          block
          variant={variant}
          icon={<KeyRound />}
          working={working}
          onClick={() => {
            setWorking(true);
            attempt.current?.(false).catch(explain);
          }}
        >
          {t("passkey.use")}
        </Button>
      </LastUsed>
      {problem ? <FormAlert live>{problem}</FormAlert> : null}
    </div>
  );
}
