"use client";

import { useTranslations } from "next-intl";
import { publicCall } from "@/components/api/call";
import { waitForNavigation } from "@/components/api/session";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";

export function ViewEnded() {
  const t = useTranslations("viewAs.over");
  const back = useAction(() => publicCall.viewAs.end.mutate({}), {
    success: false,
    onSuccess: async () => {
      window.location.assign("/dashboard");
      await waitForNavigation();
    },
  });
  return (
    <div className="flex flex-col gap-4">
      {back.problem ? <FormAlert tone="danger">{back.problem}</FormAlert> : null}
      <Button variant="primary" block working={back.working} onClick={() => back.attempt()}>
        {t("back")}
      </Button>
    </div>
  );
}
