"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { onSessionEnd } from "@/components/api/resume";
import { Dialog } from "@/components/ui/dialog";
import type { SignInAgainProps } from "./sign-in-again";

// Loaded on demand: sessions rarely end while a page is open.
const SignInAgain = dynamic(() => import("./sign-in-again").then((file) => file.SignInAgain), { ssr: false });

/** Asks to sign in again over the page, which keeps its state, when a call finds the session ended. */
export function SessionDialog(props: Pick<SignInAgainProps, "user">) {
  const t = useTranslations("shell.session");
  const [settle, setSettle] = useState<(again: boolean) => void>();
  useEffect(() => onSessionEnd(() => new Promise((resolve) => setSettle(() => resolve))), []);

  function end(again: boolean) {
    settle?.(again);
    setSettle(undefined);
  }

  return (
    <Dialog
      open={settle !== undefined}
      size="sm"
      dismissible={false}
      title={t("title")}
      description={t("text")}
    >
      <SignInAgain {...props} onEnd={end} />
    </Dialog>
  );
}
