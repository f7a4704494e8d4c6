"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { registerSignInPrompt } from "@/components/api/session-resume";
import { Dialog } from "@/components/ui/dialog";
import { lazyPart } from "@/components/ui/lazy-part";
import type { SignInAgainProps } from "./sign-in-again";

const SignInAgain = lazyPart(() => import("./sign-in-again").then((file) => file.SignInAgain), {
  loadsEarly: true,
});

/** Asks for a new sign-in when a call finds the session ended. The page below keeps its state. */
export function SessionDialog(props: Pick<SignInAgainProps, "user">) {
  const t = useTranslations("shell.session");
  const [resolveDialog, setResolveDialog] = useState<(hasSignedIn: boolean) => void>();
  useEffect(() => registerSignInPrompt(() => new Promise((resolve) => setResolveDialog(() => resolve))), []);

  function handleEnd(hasSignedIn: boolean) {
    resolveDialog?.(hasSignedIn);
    setResolveDialog(undefined);
  }

  return (
    <Dialog
      open={resolveDialog !== undefined}
      size="sm"
      dismissible={false}
      title={t("title")}
      description={t("text")}
    >
      <SignInAgain {...props} onEnd={handleEnd} />
    </Dialog>
  );
}
