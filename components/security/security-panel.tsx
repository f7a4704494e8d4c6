"use client";

import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import { AppRow } from "./app-row";
import { EmailRow } from "./email-row";
import { RecoveryRow } from "./recovery-row";
import { SetUpDialog } from "./set-up-dialog";
import type { TwoFactor } from "./types";
import { useSetUp } from "./use-set-up";

/** From this many recovery codes on it is time for new ones. */
const FEW = 3;

export interface SecurityPanelProps {
  initial: TwoFactor;
  mailVerified: boolean;
}

/** How safe the account is, in one sentence, and its second factors. */
export function SecurityPanel({ initial, mailVerified }: SecurityPanelProps) {
  const t = useTranslations("security");
  const { data } = api.twoFactor.methods.useQuery(undefined, { initialData: initial });
  const setUp = useSetUp();
  const method = (kind: "totp" | "email") => data.methods.find((each) => each.method === kind);
  const [app, email] = [method("totp"), method("email")];
  return (
    <>
      <Safety app={app?.enabled} email={email?.enabled} codes={data.recovery_codes_count} />
      <Card title={t("factors.title")} description={t("factors.text")}>
        <ul className="divide-y divide-border">
          {app ? <AppRow method={app} last={!email?.enabled} setUp={setUp} /> : null}
          {email ? (
            <EmailRow method={email} last={!app?.enabled} mailVerified={mailVerified} setUp={setUp} />
          ) : null}
          <RecoveryRow on={data.enabled} count={data.recovery_codes_count} few={FEW} setUp={setUp} />
        </ul>
      </Card>
      <SetUpDialog setUp={setUp} />
    </>
  );
}

/** The safety line: what protects the account, and what one can lose and still get in. */
function Safety({ app, email, codes }: { app?: boolean; email?: boolean; codes: number }) {
  const t = useTranslations("security.safety");
  if (!app && !email) {
    return (
      <FormAlert tone="warning" title={t("none")}>
        {t("noneText")}
      </FormAlert>
    );
  }
  const few = codes <= FEW;
  const means = t(app && email ? "both" : app ? "app" : "email");
  return (
    <FormAlert tone={few ? "warning" : "success"} title={t("line", { means, count: codes })}>
      {t(few ? "few" : app ? "device" : "mailbox")}
    </FormAlert>
  );
}
