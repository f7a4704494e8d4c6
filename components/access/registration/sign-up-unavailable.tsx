import { DoorClosed } from "lucide-react";
import { useTranslations } from "next-intl";
import { OutcomeScreen } from "@/components/access/sign-in/outcome-screen";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

export function SignUpUnavailable({ reason }: { reason: "invitation" | "closed" }) {
  const t = useTranslations("auth.signUp");
  return (
    <OutcomeScreen icon={<DoorClosed />} title={t(`${reason}Title`)} text={t(`${reason}Text`)}>
      {reason === "invitation" ? (
        <form method="get" className="flex flex-col gap-5">
          <Field label={t("referralCode")}>
            <Input
              name="ref"
              dir="ltr"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              required
            />
          </Field>
          <Button type="submit" variant="primary" block>
            {t("continue")}
          </Button>
        </form>
      ) : null}
    </OutcomeScreen>
  );
}
